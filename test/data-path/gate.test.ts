import { removeEndpoint } from '../../src/endpoints/change-endpoint';
import { createEventIds } from '../../src/events/event-ids';
import { createEventStore } from '../../src/stores/event-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { useReceiver } from '../support/build-receiver';
import { buildEndpointId, insertEvents } from '../support/build-events';
import {
  buildAttempt,
  buildDataPath,
  holdAnswers,
  ownType,
  receivedIds,
  useDataPath,
} from '../support/build-data-path';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { watchReads } from '../support/watch-reads';
import { UNSEALED } from '../../dev/unsealed';

// Deliveries that an endpoint can't take now are held in MongoDB. Its gate releases them, in any process, whatever dies
// meanwhile.

const path = useDataPath();
const receiver = useReceiver();
const killed = (): Promise<never> => Promise.reject(new Error('killed'));

beforeAll(() => path.worker());

const setStatus = (id: string, status: 'active' | 'paused') =>
  path.endpoints.updateOne({ _id: id }, { $set: { status } });

/** A paused endpoint that holds deliveries, accepted one after the other by two processes: their ids are not in order. */
async function holding(count: number): Promise<{ id: string; accepted: number[] }> {
  const type = ownType();
  const id = await path.endpoint(receiver.url, type);
  await setStatus(id, 'paused');
  const processes = [1, 2].map(() => {
    const events = createEventStore(path.mongo.db, UNSEALED);
    return { events, eventIds: createEventIds(events) };
  });
  const accepted: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    accepted.push((await path.promise(type, { deps: processes[turn % 2]! })).id);
  }
  return { id, accepted };
}

const numerically = (one: number, other: number): number => one - other;

describe.each(['workflow', 'express'])('FIRST_ATTEMPT=%s', (mode) => {
  /** Two processes on one database and one Temporal. */
  const processes = useFixture(
    'file',
    () => {
      const env = { FIRST_ATTEMPT: mode, TEMPORAL_NAMESPACE: path.config.temporal.namespace };
      return Promise.all([1, 2].map(() => buildDataPath({ of: path, env })));
    },
    async (them) => void (await Promise.all([...them].map((it) => it.close()))),
  );
  // No lease between them: as after a sweep that took longer than its lease.
  const dispatch = () => ({ ...path.parts.stores.dispatch, holdLease: () => Promise.resolve(true) });
  const sweep = () =>
    Promise.all([...processes].map((it) => it.sweep({}, { dispatcher: it.parts.dispatcher, dispatch: dispatch() })));
  const sweepUntilDelivered = (id: string) =>
    eventually(
      async () => {
        await sweep();
        return path.events.countDocuments({ 'destinations.endpoint_id': id, finished_at: null });
      },
      (unfinished) => unfinished === 0,
    );

  it('a resume releases all held deliveries, in two processes at once, and each is sent once', async () => {
    const { id, accepted } = await holding(150);
    await sweep();
    expect(receiver.requests).toHaveLength(0);
    await setStatus(id, 'active');

    await sweepUntilDelivered(id);

    expect(receivedIds(receiver).toSorted(numerically)).toEqual(accepted.toSorted(numerically));
    for (const eventId of accepted) {
      expect(await path.destination({ eventId, endpointId: id })).toMatchObject({
        state: 'delivered',
        attempt_count: 1,
      });
    }
  });

  it.each([true, false])(
    'a delivery released by a process that died before sending it is sent once (in its claim: %s)',
    async (claims) => {
      const { id, accepted } = await holding(1);
      const ref = { eventId: accepted[0]!, endpointId: id, run: 1 };
      await setStatus(id, 'active');
      await path.parts.stores.deliveries.releaseHeld([ref], 'dead', claims);

      if (claims) {
        await sweep();
        expect(await path.destination(ref)).toMatchObject({ dispatch: 'due', claimed_by: 'dead', state: 'pending' });
        await path.events.updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.claimed_until': new Date(0) } });
      }
      await sweepUntilDelivered(id);

      expect(receivedIds(receiver)).toEqual(accepted);
    },
  );

  it('a retry at the moment of the release sends once', async () => {
    const { id, accepted } = await holding(1);
    const ref = { eventId: accepted[0]!, endpointId: id, run: 1 };
    const answer = holdAnswers(receiver);
    await setStatus(id, 'active');
    const retried = path.executor().attemptDelivery(buildAttempt(ref, { trigger: 'manual' }));
    await receiver.waitFor(1);

    [...processes][0]!.parts.gate.look(id);
    await eventually(
      () => path.destination(ref),
      (it) => it.dispatch === 'done' || receiver.requests.length > 1,
    );
    answer();
    await retried;

    await path.untilState(ref, 'delivered');
    expect(receivedIds(receiver)).toEqual(accepted);
  });
});

it('a delivery released before its old execution has ended is still sent', async () => {
  const { deliveries } = path.parts.stores;
  const own = await buildDataPath({ of: path });
  let end = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (end = resolve));
  try {
    const hold: typeof deliveries.hold = async (...call) => {
      await deliveries.hold(...call);
      await isOver;
    };
    await own.worker({ deliveries: { ...deliveries, hold } });
    const { ref, starts, endpointId } = await own.promiseTo(receiver.url);
    await setStatus(endpointId, 'paused');
    await own.parts.executions.start(starts[0]!);
    await own.untilHeld(ref);
    await setStatus(endpointId, 'active');
    await eventually(
      () => {
        own.parts.gate.look(endpointId);
        return own.destination(ref);
      },
      ({ dispatch }) => dispatch !== 'held',
    );

    end();
    await own.handleOf(ref).result();

    await own.sweepUntil(ref, { state: 'delivered' });
    expect(receiver.requests).toHaveLength(1);
  } finally {
    end();
    await own.close();
  }
});

describe('a process that dies while it removes an endpoint', () => {
  /** Removes the endpoint in a process that dies on the way, and accepts one more event for it meanwhile. */
  async function removeAndDie(status: 'active' | 'paused', diesAt: 'remove' | 'bump' | 'cancel') {
    const type = ownType();
    const id = await path.endpoint(receiver.url, type);
    await setStatus(id, status);
    const { endpoints, accounts, deliveries } = path.parts.stores;
    const refs = [(await path.promise(type)).ref];
    let cancels = 0;
    const deps = {
      endpoints: {
        ...endpoints,
        async remove(...which: Parameters<typeof endpoints.remove>) {
          refs.push((await path.promise(type)).ref);
          return diesAt === 'remove' ? killed() : endpoints.remove(...which);
        },
      },
      accounts: { ...accounts, ...(diesAt === 'bump' && { bumpEndpointsVersion: killed }) },
      deliveries: {
        cancelAllOf: (of: Parameters<typeof deliveries.cancelAllOf>[0]) =>
          (cancels += 1) === 1 ? deliveries.cancelAllOf(of) : killed(),
      },
      health: path.parts.stores.health,
    };
    const remove = (by: Parameters<typeof removeEndpoint>[0]) =>
      removeEndpoint(by, { ...BY_COMMAND_LINE, accountId: path.accountId, id });
    await expect(remove(deps)).rejects.toThrow('killed');
    expect((await path.destination(refs[1]!)).state).toBe('pending');
    return { refs, removeAgain: () => remove(path.parts.stores) };
  }

  it.each([
    ['active', 'bump'],
    ['active', 'cancel'],
    ['paused', 'bump'],
    ['paused', 'cancel'],
  ] as const)(
    'after the removal is stored (it was %s; %s): the sweeper cancels its deliveries',
    async (status, diesAt) => {
      const { refs } = await removeAndDie(status, diesAt);

      for (const ref of refs) {
        await path.sweepUntil(ref, { state: 'cancelled' }, { overdueMs: 60_000 });
        expect(await path.event(ref.eventId)).toMatchObject({ finished_at: expect.any(Date) });
      }
      expect(receiver.requests).toHaveLength(0);
    },
  );

  it.each(['active', 'paused'] as const)(
    'before the removal is stored (%s): a second removal cancels them',
    async (status) => {
      const { refs, removeAgain } = await removeAndDie(status, 'remove');

      await removeAgain();

      for (const ref of refs) expect((await path.destination(ref)).state).toBe('cancelled');
      expect(receiver.requests).toHaveLength(0);
    },
  );
});

describe('with thousands of held deliveries', () => {
  const EACH = 2_000;
  let ids: string[];

  beforeAll(async () => {
    await path.clear();
    ids = Array.from({ length: 5 }, buildEndpointId).toSorted();
    // Each event goes to two of them, so that an index entry of one endpoint names an event that another holds too.
    const specs = ids.flatMap((endpointId, index) =>
      Array.from({ length: EACH }, (_, turn) => ({
        id: 8_000_000 + index * EACH + turn,
        accountId: path.accountId,
        acceptedAt: 1_700_000_000 + turn,
        deliveries: [ids[(index + 1) % ids.length]!, endpointId].map((of) => ({
          endpointId: of,
          state: 'pending' as const,
        })),
      })),
    );
    await insertEvents(path.mongo, specs);
    await path.events.updateMany(
      {},
      { $set: { 'destinations.$[].dispatch': 'held', 'destinations.$[].next_attempt_at': null } },
    );
  });

  afterAll(() => path.clear());

  /** Index keys and documents that MongoDB examined for `work`. */
  async function examinedBy(work: () => Promise<unknown>): Promise<{ keys: number; documents: number }> {
    const reads = await watchReads(path.mongo, work);
    expect(reads.length).toBeGreaterThan(0);
    const sum = (name: 'keys' | 'documents') => reads.reduce((total, read) => total + read[name], 0);
    return { keys: sum('keys'), documents: sum('documents') };
  }

  it("an endpoint's next deliveries are found by an index, in the order of acceptance, and nothing else is read", async () => {
    const { deliveries } = path.parts.stores;
    let next: Awaited<ReturnType<typeof deliveries.nextHeld>> = [];

    const examined = await examinedBy(async () => (next = await deliveries.nextHeld(ids[2]!, 64)));

    const found = await path.events.find({ _id: { $in: next.map(({ eventId }) => eventId) } }).toArray();
    expect(next.every(({ endpointId }) => endpointId === ids[2])).toBe(true);
    // Of two events to it in each second, the first 32 seconds.
    expect(found.map(({ accepted_at: at }) => at.t - 1_700_000_000).toSorted(numerically)).toEqual(
      Array.from({ length: 64 }, (_, index) => Math.floor(index / 2)),
    );
    expect(examined.keys).toBeLessThanOrEqual(70);
    expect(examined.documents).toBeLessThanOrEqual(70);
  });

  it('each endpoint with held deliveries costs one step, and a pass resumes where the last one stopped', async () => {
    const { deliveries } = path.parts.stores;
    const found: string[][] = [];

    const examined = await examinedBy(async () => {
      found.push(await deliveries.endpointsThatHold('', 3));
      found.push(await deliveries.endpointsThatHold(found[0]!.at(-1)!, 3));
    });

    expect(found).toEqual([ids.slice(0, 3), ids.slice(3)]);
    expect(examined.keys).toBeLessThanOrEqual(30);
    expect(examined.documents).toBeLessThanOrEqual(10);
  });
});
