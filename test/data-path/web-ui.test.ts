import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import { useReceiver } from '../support/build-receiver';
import { currentDetailsOf } from '../support/current-details';
import { eventually } from '../support/eventually';
import { useDataPath, type Promised } from '../support/build-data-path';

// What users who don't know the code can find and read in Temporal's Web UI.

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,100ms,1h' } });
const receiver = useReceiver();

beforeAll(() => path.worker());

async function sendTo(url: string, type: string): Promise<Promised> {
  await path.endpoint(url, type);
  return path.send(type);
}

/** Ids of the executions that Temporal lists for a query; its lists follow by a moment. */
function listed(query: string, isRight: (ids: string[]) => boolean): Promise<string[]> {
  return eventually(async () => {
    const ids: string[] = [];
    for await (const { workflowId } of path.temporal.client()!.workflow.list({ query })) ids.push(workflowId);
    return ids;
  }, isRight);
}

it('a delivery can be found by its account, event, endpoint, event type and whether it runs', async () => {
  receiver.answerWith(503);
  const { ref, id } = await sendTo(receiver.url, 'ui.found');
  const workflowId = deliveryWorkflowId(ref);
  const queries = [
    `EverpostAccountId="${path.accountId}" AND EverpostEventType="ui.found"`,
    `EverpostEventId="${id}"`,
    `EverpostEndpointId="${ref.endpointId}"`,
    'EverpostEventType="ui.found"',
    'WorkflowType="deliverEvent" AND ExecutionStatus="Running" AND EverpostEventType="ui.found"',
  ];

  for (const query of queries) expect(await listed(query, (ids) => ids.length > 0)).toEqual([workflowId]);
});

it('exhausted deliveries are listed as Failed, delivered ones as Completed', async () => {
  receiver.answerWith((request) => (request.headers['x-webhook-type'] === 'ui.failed' ? 503 : 200));
  const delivered = await sendTo(receiver.url, 'ui.delivered');
  const failed = await sendTo(receiver.url, 'ui.failed');
  await path.untilAttempts(failed.ref, 2);
  await path.handleOf(failed.ref).signal('retryNow', 3);

  const found = await listed('ExecutionStatus="Failed" AND EverpostEventType="ui.failed"', (ids) => ids.length > 0);
  expect(found).toEqual([deliveryWorkflowId(failed.ref)]);
  const completed = await listed(
    'ExecutionStatus="Completed" AND EverpostEventType="ui.delivered"',
    (ids) => ids.length > 0,
  );
  expect(completed).toEqual([deliveryWorkflowId(delivered.ref)]);
});

it('the summary names event type and destination host; the details show past attempts and the next one', async () => {
  receiver.answerWith(503);
  const { ref } = await sendTo(`${receiver.url}?token=geheim`, 'ui.read');
  await path.untilAttempts(ref, 2);
  const handle = path.handleOf(ref);

  expect(await (await handle.describe()).staticSummary()).toBe(`ui.read → 127.0.0.1:${receiver.port}`);
  await eventually(
    () => currentDetailsOf(handle),
    (details) => /^attempt 2 of 3 failed: 503; attempt 3 at \d{4}-\d\d-\d\dT[\d:.]+Z$/.test(details ?? ''),
  );
});

it('a held delivery is Completed, and its details say why and that a new execution continues it', async () => {
  receiver.answerWith(503);
  const { ref } = await sendTo(receiver.url, 'ui.held');
  await path.untilAttempts(ref, 2);
  await path.endpoints.updateOne({ _id: ref.endpointId }, { $set: { status: 'paused' } });
  const handle = path.handleOf(ref);
  await handle.signal('retryNow', 3);

  expect(await handle.result()).toEqual({ state: 'held', reason: 'paused', attempts: 2 });
  expect((await handle.describe()).status.name).toBe('COMPLETED');
  expect(await currentDetailsOf(handle)).toBe('attempt 3 is held: the endpoint is paused; a new execution makes it');
});

it('Temporal stores only ids: no data, URL with its token, secret or response body', async () => {
  receiver.answerWith(200);
  await path.endpoint(`${receiver.url}?token=geheim`, 'ui.secret');
  const promised = await path.promise('ui.secret', { data: '{"card":"4111-1111"}' });
  for (const start of promised.starts) await path.parts.executions.start(start);
  const handle = path.handleOf(promised.ref);
  await handle.result();

  const { events } = await handle.fetchHistory();
  const texts = textsOf(events).join('\n');

  expect(texts).toContain('"endpointId"');
  for (const secret of ['geheim', '/hook', '4111', 'whsec_', 'answer 200']) expect(texts).not.toContain(secret);
});

/** Every text and every payload of a history. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
