import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { quietTemporal } from '../../support/quiet-temporal';

// To tell a million deliveries takes a while: a new version of the workflow goes on with what an old one began.

const FOLDER = join(__dirname, 'histories', 'signals');
const NAMES = readdirSync(FOLDER).map((name) => name.slice(0, -'.json'.length));

interface RecordedHistory {
  events: { eventType: string }[];
}

let workflowBundle: WorkflowBundle & { code: string };

beforeAll(async () => {
  quietTemporal();
  const workflowsPath = join(__dirname, '..', '..', '..', 'workflows', 'index.ts');
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}, 60_000);

function textOf(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8');
}

/** Runs the present code over what the old code did. */
function replay(history: RecordedHistory): Promise<void> {
  return Worker.runReplayHistory({ workflowBundle }, history, 'signal/ep_replay/wake/1');
}

test('there are histories of both signals', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['woken', 'cancelled']));
});

test.each(NAMES)('a job continues from each moment at which the old code may have stopped: %s', async (name) => {
  const { events } = JSON.parse(textOf(name)) as RecordedHistory;
  await expect(replay({ events })).resolves.toBeUndefined();
  for (const [index, { eventType }] of events.entries()) {
    if (eventType !== 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED') continue;
    const next = events.findIndex(
      (event, at) => at > index && event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
    );
    await expect(replay({ events: next < 0 ? events : events.slice(0, next) })).resolves.toBeUndefined();
  }
});

test('a workflow that would do something else is found out', async () => {
  const text = textOf('woken');
  const other = text.replaceAll('"activityType":{"name":"signalPage"}', '"activityType":{"name":"somethingElse"}');
  expect(other).not.toBe(text);

  await expect(replay(JSON.parse(other) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
});

test('the histories hold ids and numbers: no data, no URL, no secret', () => {
  for (const name of NAMES) {
    const payloads = [...textOf(name).matchAll(/"data":"([^"]*)"/g)].map(([, data]) =>
      Buffer.from(data!, 'base64').toString(),
    );
    expect(payloads.join('\n')).toContain('"endpointId"');
    for (const forbidden of ['http', 'whsec_', '"n":1.0']) expect(payloads.join('\n')).not.toContain(forbidden);
  }
});
