import { Timestamp } from 'mongodb';
import { signalWorkflowId } from '../../src/domain/signal-contract';
import type { Destination } from '../../src/events/store';
import { insertEvents } from '../support/build-events';
import { receivedIds } from '../support/build-data-path';
import { EVENTS, useEndpointStage } from '../support/build-endpoint-stage';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// An endpoint is paused for an hour while events arrive. The hour passes in the record, where the product's idea of time
// is; that a held delivery keeps still for an hour of Temporal's time is in test/workflows/deliver-event.test.ts.

/** As many events as make the endpoint's rate plain. */
const COUNT = 80;
const PER_SECOND = 40;
/** The job that tells the endpoint's deliveries of the resume tells 500 on a page. */
const PAGE = 500;
const HOUR_MS = 3_600_000;
const TYPE = 'order.created';

const stage = useEndpointStage('0s,1h,1h');
const receiver = useReceiver();

it('paused for an hour while events arrive, an endpoint gets none; resumed, it gets each once, at its rate', async () => {
  const options = { max_per_second: PER_SECOND };
  const id = await stage.register(receiver.url, { events: [TYPE], options });
  await fillOnePage(id);
  await stage.act('POST', id, '/pause');

  const ids = (await Promise.all([ingest(stage.here), ingest(stage.there)])).flat();
  await untilAll(({ started }) => started);
  await letAnHourPass();
  // The sweeper notes when it looks again at a delivery that it found to be late.
  await untilAll((destination) => 'check_after' in destination);
  expect(receiver.requests).toHaveLength(0);
  for (const it of await destinations()) expect(it).toMatchObject({ state: 'pending', attempt_count: 0, run: 1 });

  const resumedAt = (await stage.path.parts.stores.dispatch.now()).getTime();
  await stage.act('POST', id, '/resume');
  await untilAll(({ state }) => state === 'delivered');

  const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);
  expect(inOrder(receivedIds(receiver))).toEqual(inOrder(ids));
  expect((await destinations()).map(({ attempt_count: count }) => count)).toEqual(ids.map(() => 1));
  const attempts = await stage.path.attempts.find({ endpoint_id: id }).toArray();
  const starts = inOrder(attempts.map(({ answer }) => answer!.started_at.getTime()));
  // Each turn is an interval after the one before it. A timer counts whole milliseconds.
  for (const [turn, at] of starts.entries()) expect(at).toBeGreaterThan(resumedAt + (turn * 1_000) / PER_SECOND - 2);
  expect(await jobStatus(id)).toBe('COMPLETED');
});

/** Earlier deliveries of the endpoint, which wait for their next attempt: those of the hour are on the next page. */
async function fillOnePage(endpointId: string): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  const specs = Array.from({ length: PAGE }, (_, index) => ({
    id: 1_000_000_000 + index,
    accountId: stage.accountId,
    type: 'order.earlier',
    acceptedAt: now - 7_200,
    deliveries: [{ endpointId, state: 'retrying' as const }],
  }));
  await insertEvents(stage.path.mongo, specs);
}

async function ingest(api: typeof stage.here): Promise<number[]> {
  const events = Array.from({ length: COUNT / 2 }, (_, n) => ({ type: TYPE, data: { n } }));
  const { status, body } = await api.post(`${EVENTS}/batch`, { events });
  expect(status).toBe(207);
  return body.results.map((result: { id: number }) => result.id);
}

function destinations(): Promise<Destination[]> {
  return stage.path.events
    .find({ type: TYPE })
    .map(({ destinations: [it] }) => it!)
    .toArray();
}

async function untilAll(isSo: (destination: Destination) => boolean): Promise<void> {
  await eventually(
    async () => (await destinations()).filter(isSo).length,
    (count) => count === COUNT,
  );
}

/** Moves what the record knows of the deliveries an hour back. */
async function letAnHourPass(): Promise<void> {
  const acceptedAt = new Timestamp({ t: Math.floor((Date.now() - HOUR_MS) / 1_000), i: 1 });
  const hourBefore = { $subtract: ['$$it.next_attempt_at', HOUR_MS] };
  const moved = { $mergeObjects: ['$$it', { next_attempt_at: hourBefore }] };
  await stage.path.events.updateMany({ type: TYPE }, [
    {
      $set: {
        accepted_at: acceptedAt,
        timestamp: { $subtract: ['$timestamp', HOUR_MS / 1_000] },
        destinations: { $map: { input: '$destinations', as: 'it', in: moved } },
      },
    },
  ]);
}

/** How the job ended that told the endpoint's deliveries: the last of them may be through before it has heard so. */
async function jobStatus(endpointId: string): Promise<string> {
  const { version } = (await stage.path.parts.stores.endpoints.find(endpointId))!;
  const input = { accountId: '', endpointId, signal: 'wake', cursor: null, signalled: 0 } as const;
  const job = stage.path.temporal.client()!.workflow.getHandle(signalWorkflowId(input, version!));
  return eventually(
    async () => (await job.describe()).status.name,
    (status) => status !== 'RUNNING',
  );
}
