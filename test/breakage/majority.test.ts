import { apiClient } from '../support/api-client';
import { useReplicatedStack } from '../support/build-replicated-stack';
import { UNLIMITED } from '../support/build-stack';
import { eventually } from '../support/eventually';

const EVENTS = '/api/v1/webhooks/events';
const KEYS = 100;

const stack = useReplicatedStack({ role: 'api', env: { ...UNLIMITED, INGEST_TIMEOUT: '2s' } });

interface KeyedEvent {
  readonly type: string;
  readonly data: object;
  readonly idempotency_key: string;
}

interface Answer {
  readonly status: number;
  readonly id?: number;
}

/** Sends events, some of them more than once. @returns the answers to each, in the order of the events */
type Send = (events: readonly KeyedEvent[]) => Promise<(readonly Answer[])[]>;

describe('an idempotency key stands for one event across a failover that rolls back the old primary', () => {
  let client: ReturnType<typeof apiClient>;

  const postOne = async (event: KeyedEvent): Promise<Answer> => {
    const { status, body } = await client.post(EVENTS, event);
    return { status, id: body.id };
  };
  const oneByOne: Send = (events) => Promise.all(events.map(async (event) => [await postOne(event)]));
  /** As a caller does: again, until there is a primary that answers. */
  const untilAnswered: Send = (events) =>
    Promise.all(
      events.map(async (event) => [
        await eventually(
          () => postOne(event),
          ({ status }) => status !== 503,
        ),
      ]),
    );
  const twiceAtOnce: Send = (events) =>
    Promise.all(events.map((event) => Promise.all([postOne(event), postOne(event)])));
  const asBatch: Send = async (events) => {
    const { status, body } = await client.post(`${EVENTS}/batch`, { events });
    return events.map((_, index) => [status === 207 ? body.results[index] : { status }]);
  };

  it.each([
    ['one-by-one', oneByOne],
    ['twice-at-once', twiceAtOnce],
    ['as-a-batch', asBatch],
  ])('sent %s', async (way, send) => {
    client = apiClient(stack.url, (await stack.account()).key);
    const type = 'order.created';
    const events = Array.from({ length: KEYS }, (_, index) => ({
      type,
      data: { index },
      idempotency_key: `${way}-${index}`,
    }));
    // From here on the process has ids to give.
    await client.post(EVENTS, { type, data: {} });
    const known = await countKeys();
    const resume = await stack.replicaSet.haltSecondaries();
    const first = send(events);
    try {
      await eventually(countKeys, (count) => count > known);
      await stack.replicaSet.deposePrimary();
    } finally {
      await resume();
    }
    const answers = [await first, await untilAnswered(events)];

    for (const index of events.keys()) {
      const told = answers.flatMap((each) => each[index]!).filter(({ status }) => status === 202 || status === 200);
      expect(new Set(told.map(({ id }) => id)).size).toBe(1);
    }
    expect(await countEvents(way)).toBe(KEYS);
  });
});

/** Keys that the primary has, whether other members have them or not. */
const countKeys = () => stack.mongo.db.collection('idempotency_keys').countDocuments();

const countEvents = (way: string) =>
  stack.mongo.db.collection('events').countDocuments({ idempotency_key: { $regex: `^${way}-` } });

describe('while no majority confirms writes', () => {
  const CALLS = 2_000;

  it('every ingest gets an answer, one that got "nothing was accepted" is never stored, and the server recovers', async () => {
    const client = apiClient(stack.url, (await stack.account()).key);
    const typeOf = (index: number): string => `stalled.${index}`;
    const send = (index: number) =>
      client.post(EVENTS, {
        type: typeOf(index),
        data: {},
        ...(index % 2 === 0 && { idempotency_key: typeOf(index) }),
      });
    await client.post(EVENTS, { type: 'before', data: {} });
    const resume = await stack.replicaSet.haltSecondaries();
    // All of them are answered before anything can be confirmed.
    const answers = await Promise.all(Array.from({ length: CALLS }, (_, index) => send(index))).finally(
      () => void resume(),
    );
    await eventually(
      () => client.post(EVENTS, { type: 'after', data: {} }),
      ({ status }) => status === 202,
    );

    expect(answers.filter(({ status }) => status !== 503)).toEqual([]);
    const told = [...new Set(answers.map(({ body }) => body.code as string))];
    expect(told).toEqual(expect.arrayContaining(['ingest_busy', 'outcome_unknown']));
    // A slow machine may not get as far as the event; the answer says that too.
    expect(['ingest_busy', 'outcome_unknown', 'service_unavailable']).toEqual(expect.arrayContaining(told));
    const refused = answers.flatMap(({ body }, index) => (body.code === 'outcome_unknown' ? [] : [typeOf(index)]));
    expect(await stack.mongo.db.collection('events').countDocuments({ type: { $in: refused } })).toBe(0);
  });

  it('a change with an audit entry gets its answer once a write gives up waiting for its majority, in 10 s', async () => {
    const client = apiClient(stack.url, (await stack.account()).key);
    await client.post(EVENTS, { type: 'before', data: {} });
    const resume = await stack.replicaSet.haltSecondaries();
    // They are halted until it has its answer.
    const answer = await client
      .post('/api/v1/webhooks/endpoints', { url: 'https://example.com/hook' })
      .finally(() => void resume());

    expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
    await eventually(
      () => client.post(EVENTS, { type: 'after', data: {} }),
      ({ status }) => status === 202,
    );
  });
});
