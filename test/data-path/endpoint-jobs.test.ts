import { createSignalDeliveries } from '../../activities/signal-deliveries';
import { signalWorkflowId, type SignalDeliveriesInput } from '../../src/domain/signal-contract';
import { createEndpointSweeper } from '../../src/endpoints/endpoint-sweeper';
import type { Removal } from '../../src/endpoints/removal-store';
import { startRole, type RunningRole } from '../../src/main';
import { createLogger } from '../../src/platform/logger';
import { apiClient, type ApiClient } from '../support/api-client';
import { buildEndpointId, insertEvents } from '../support/build-events';
import { useDataPath } from '../support/build-data-path';
import { ENDPOINTS, EVENTS, untilHeld } from '../support/build-endpoint-stage';
import { useReceiver } from '../support/build-receiver';
import { buildAccount } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// What becomes of an endpoint reaches its deliveries' executions, whatever is away or dies meanwhile.

const logger = createLogger('silent');

const path = useDataPath();
const receiver = useReceiver();

function inputOf(endpointId: string, signal: SignalDeliveriesInput['signal']): SignalDeliveriesInput {
  return { accountId: path.accountId, endpointId, signal, cursor: null, signalled: 0 };
}

describe('while Temporal is away', () => {
  /** The API that does not reach Temporal, and one that does. */
  const apis = useFixture('file', buildApis, ({ close }) => close());

  beforeAll(() => path.worker());

  async function buildApis() {
    const away = { ...path.config, temporal: { ...path.config.temporal, address: '127.0.0.1:1' } };
    const roles: RunningRole[] = await Promise.all([away, path.config].map((of) => startRole('api', of, logger)));
    const { key } = await buildAccount(path.config, path.mongo);
    const [broken, whole] = roles.map(({ url }) => apiClient(url!, key)) as [ApiClient, ApiClient];
    return { broken, whole, close: () => Promise.all(roles.map((role) => role.close())) };
  }

  /** A paused endpoint and the execution of a delivery that is held for it. */
  async function heldDelivery() {
    const id = (await apis.whole.post(ENDPOINTS, { url: receiver.url })).body.id as string;
    await apis.whole.post(`${ENDPOINTS}/${id}/pause`);
    const { body: event } = await apis.whole.post(EVENTS, { type: 'wake.held', data: {} });
    const execution = path.handleOf({ eventId: event.id, endpointId: id, run: 1 });
    await untilHeld(execution);
    return { id, execution };
  }

  /** Has a worker look for what is due, as each does when it starts, until it is done. */
  async function sweepUntil(isDone: () => Promise<boolean>): Promise<void> {
    const sweeper = createEndpointSweeper({ ...path.parts.stores, ...path.parts, temporal: path.temporal, logger });
    try {
      await eventually(isDone, Boolean);
    } finally {
      await sweeper.close();
    }
  }

  const jobOf = (id: string, signal: SignalDeliveriesInput['signal'], version: number) =>
    path.temporal.client()!.workflow.getHandle(signalWorkflowId(inputOf(id, signal), version));
  // Younger notes are left to the process that made them.
  const aMinuteAgo = { $subtract: ['$$NOW', 60_000] };

  it('an endpoint that is resumed has its deliveries woken when it is back', async () => {
    const { id } = await heldDelivery();

    const resumed = await apis.broken.post(`${ENDPOINTS}/${id}/resume`);

    expect([resumed.status, resumed.body.status]).toEqual([200, 'active']);
    expect((await path.endpoints.findOne({ _id: id }))!.wake_due_at).toBeInstanceOf(Date);
    await path.endpoints.updateOne({ _id: id }, [{ $set: { wake_due_at: aMinuteAgo } }]);
    await sweepUntil(async () => !('wake_due_at' in (await path.endpoints.findOne({ _id: id }))!));
    // By itself the delivery would look again after a minute: the job has told it.
    const { version } = (await path.endpoints.findOne({ _id: id }))!;
    expect(await jobOf(id, 'wake', version!).result()).toBe(1);
    await receiver.waitFor(1);
    await apis.whole.delete(`${ENDPOINTS}/${id}`);
  });

  it("an endpoint that is removed has its deliveries' executions ended when it is back", async () => {
    const { id, execution } = await heldDelivery();
    const { version } = (await path.endpoints.findOne({ _id: id }))!;
    const removals = path.mongo.db.collection<Removal>('endpoint_removals');

    const { status } = await apis.broken.delete(`${ENDPOINTS}/${id}`);

    expect([status, await path.endpoints.findOne({ _id: id })]).toEqual([204, null]);
    expect(await removals.findOne({ _id: id })).toMatchObject({ removed_at: expect.any(Date) });
    expect((await execution.describe()).status.name).toBe('RUNNING');
    await removals.updateOne({ _id: id }, [{ $set: { removed_at: aMinuteAgo } }]);
    await sweepUntil(async () => (await removals.countDocuments({ _id: id })) === 0);
    expect(await jobOf(id, 'cancel', version! + 1).result()).toBe(1);
    await execution.result();
    expect((await execution.describe()).status.name).toBe('COMPLETED');
  });
});

it('when two remove an endpoint at once, one of them does, and one removal is noted', async () => {
  const { endpoints, removals } = path.parts.stores;
  const id = await path.endpoint(receiver.url, 'nothing');
  const endpoint = (await endpoints.find(id))!;

  const removed = await Promise.all([removals.remove(endpoint), removals.remove(endpoint)]);

  expect(removed.toSorted((one) => (one ? -1 : 1))).toEqual([
    { _id: id, account_id: path.accountId, version: 1 },
    null,
  ]);
  await removals.finish(id);
});

describe('the job that tells an endpoint of a change', () => {
  const told: string[] = [];
  let failAt: number;
  const send = (ref: { eventId: number }): Promise<boolean> => {
    if (told.length >= failAt) return Promise.reject(new Error('Temporal is away'));
    told.push(String(ref.eventId));
    // One in ten has no running workflow.
    return Promise.resolve(ref.eventId % 10 !== 0);
  };
  const activity = () =>
    createSignalDeliveries({
      ...path.parts.attempts.deps,
      signals: { wake: send, cancel: send },
    }).signalPage;

  beforeEach(() => {
    told.length = 0;
    failAt = Infinity;
  });

  async function endpointWith(count: number, state: 'pending' | 'cancelled', firstId: number): Promise<string> {
    const id = await path.endpoint(receiver.url, 'nothing');
    const other = buildEndpointId();
    await insertEvents(
      path.mongo,
      Array.from({ length: count }, (_, index) => ({
        // Ids are not chronological: the newest event has the lowest.
        id: firstId + count - index,
        accountId: path.accountId,
        acceptedAt: 1_700_000_000 + index,
        deliveries: [
          { endpointId: other, state: 'pending' as const },
          { endpointId: id, state },
        ],
      })),
    );
    // Of another state, and another account's.
    const deliveries = [{ endpointId: id, state: 'delivered' as const }];
    await insertEvents(path.mongo, [
      { id: firstId + count + 1, accountId: path.accountId, deliveries },
      { id: firstId + count + 2, accountId: 'acc_other', deliveries: [{ endpointId: id, state }] },
    ]);
    return id;
  }

  async function runThrough(input: SignalDeliveriesInput): Promise<{ pages: number; signalled: number }> {
    let page = { cursor: input.cursor, signalled: 0 };
    let signalled = 0;
    for (let pages = 1; ; pages += 1) {
      page = await activity()({ ...input, cursor: page.cursor });
      signalled += page.signalled;
      if (page.cursor === null) return { pages, signalled };
    }
  }

  it.each([
    ['wake', 'pending', 1_000_000],
    ['cancel', 'cancelled', 2_000_000],
  ] as const)(
    '%s: each %s delivery of this endpoint once, page by page, the oldest event first',
    async (signal, state, first) => {
      const id = await endpointWith(1_203, state, first);

      expect(await runThrough(inputOf(id, signal))).toEqual({ pages: 3, signalled: 1_203 - 120 });

      expect(told).toHaveLength(1_203);
      expect(told.map(Number)).toEqual(told.map(Number).toSorted((one, other) => other - one));
    },
  );

  it('a page that broke off is told again from its beginning, and nobody is left out', async () => {
    const id = await endpointWith(700, 'pending', 3_000_000);
    const first = await activity()(inputOf(id, 'wake'));
    failAt = 600;

    await expect(activity()({ ...inputOf(id, 'wake'), cursor: first.cursor })).rejects.toThrow('Temporal is away');
    expect(told).toHaveLength(600);
    failAt = Infinity;
    expect((await runThrough({ ...inputOf(id, 'wake'), cursor: first.cursor })).pages).toBe(1);

    expect(new Set(told).size).toBe(700);
  });

  it('one signal that gets lost keeps none of the others from being told', async () => {
    const id = await endpointWith(400, 'pending', 6_000_000);
    const lost = 6_000_300;
    const page = createSignalDeliveries({
      ...path.parts.attempts.deps,
      signals: {
        wake: (ref) => (ref.eventId === lost ? Promise.reject(new Error('it got lost')) : send(ref)),
        cancel: send,
      },
    }).signalPage(inputOf(id, 'wake'));

    await expect(page).rejects.toThrow('it got lost');
    expect(told).toHaveLength(399);
  });

  it('paused again meanwhile, the rest stays held', async () => {
    const id = await endpointWith(600, 'pending', 4_000_000);
    const first = await activity()(inputOf(id, 'wake'));
    expect(told).toHaveLength(500);
    await path.endpoints.updateOne({ _id: id }, { $set: { status: 'paused' } });

    expect(await activity()({ ...inputOf(id, 'wake'), cursor: first.cursor })).toEqual({ cursor: null, signalled: 0 });
    expect(told).toHaveLength(500);
  });

  it('a cancel ends in the record what was accepted for the endpoint after it was removed', async () => {
    const id = await endpointWith(3, 'pending', 5_000_000);

    expect(await runThrough(inputOf(id, 'cancel'))).toEqual({ pages: 1, signalled: 3 });

    const { destinations, finished_at: finishedAt } = await path.event(5_000_001);
    expect(destinations.map(({ state }) => state)).toEqual(['pending', 'cancelled']);
    expect(finishedAt).toBeNull();
  });
});
