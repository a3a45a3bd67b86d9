import { IDEMPOTENCY_WINDOW_MS } from '../../src/stores/idempotency-store';
import type { StoredEvent } from '../../src/stores/event-store';
import type { ApiAnswer } from '../support/api-client';
import { ownType } from '../support/build-data-path';
import { EVENTS, useTwoApis } from '../support/build-endpoint-testbed';
import { buildAccount } from '../support/build-stack';
import { openedEvents } from '../support/open-payloads';

// Rule 7: idempotency. 202 only if this very call created the event; any number of calls make one event.

/** Two API processes on one database. */
const apis = useTwoApis();

let keys = 0;

function newKey(): string {
  keys += 1;
  return `key ${keys} of ${ownType()}`;
}

function post(body: object, call = 0): Promise<ApiAnswer> {
  return (call % 2 === 0 ? apis.here : apis.there).post(EVENTS, body);
}

/** The event that most tests send, with a new key. */
function newEvent() {
  return { type: 'order.created', data: { n: 1 }, idempotency_key: newKey() };
}

/** Removes the event of an answer: a crash between the record and the event leaves the record behind, and no event. */
async function crashBeforeEvent({ body }: ApiAnswer): Promise<void> {
  await apis.path.events.deleteOne({ _id: body.id });
}

/** As if a key had been tried that much earlier. */
async function age(eventId: number, ms: number): Promise<void> {
  const earlier = [{ $set: { expires_at: { $subtract: ['$expires_at', ms] } } }];
  await apis.path.mongo.db.collection('idempotency_keys').updateOne({ event_id: eventId }, earlier);
}

async function eventsWith(idempotencyKey: string): Promise<StoredEvent[]> {
  return openedEvents(apis.path, await apis.path.events.find({ idempotency_key: idempotencyKey }).toArray());
}

it('25 concurrent calls with each of four keys, in two processes: one event and exactly one 202 for each key', async () => {
  const fourKeys = Array.from({ length: 4 }, newKey);

  const answers = await Promise.all(
    fourKeys.flatMap((idempotencyKey) =>
      Array.from({ length: 25 }, async (_, call) => ({
        idempotencyKey,
        answer: await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey }, call),
      })),
    ),
  );

  for (const idempotencyKey of fourKeys) {
    const own = answers.filter((it) => it.idempotencyKey === idempotencyKey).map(({ answer }) => answer);
    const statuses = own.map(({ status }) => status);
    expect(own.filter(({ status }) => status > 202).map(({ body }) => body)).toEqual([]);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    const created = own.find(({ status }) => status === 202)!.body;
    expect(created.duplicate).toBe(false);
    for (const { status, body } of own) {
      expect(body).toEqual(status === 202 ? created : { ...created, duplicate: true });
    }
    expect((await eventsWith(idempotencyKey)).map(({ _id }) => _id)).toEqual([created.id]);
  }
});

it("after a crash between the key's record and the event, the next call creates the event with the recorded id", async () => {
  const body = newEvent();
  const first = await post(body);
  await crashBeforeEvent(first);

  const healed = await post(body, 1);
  const repeated = await post(body);

  expect(healed).toMatchObject({ status: 202, body: { id: first.body.id, duplicate: false } });
  expect(repeated).toMatchObject({ status: 200, body: { id: first.body.id, duplicate: true } });
  expect(await eventsWith(body.idempotency_key)).toHaveLength(1);
});

it('a key older than 24 hours makes a new event, even while its record still exists', async () => {
  const body = newEvent();
  const first = await post(body);
  const records = apis.path.mongo.db.collection<{ _id: string; event_id: number; expires_at: Date }>(
    'idempotency_keys',
  );
  // MongoDB deletes expired records up to a minute late.
  const { modifiedCount } = await records.updateOne(
    { event_id: first.body.id },
    { $set: { expires_at: new Date(Date.now() - 1_000) } },
  );
  expect(modifiedCount).toBe(1);

  const before = await apis.path.parts.stores.dispatch.now();
  const second = await post(body);
  const third = await post(body, 1);

  expect(second.status).toBe(202);
  expect(second.body.id).not.toBe(first.body.id);
  expect(third.status).toBe(200);
  expect(third.body.id).toBe(second.body.id);
  const [record] = await records.find({ event_id: second.body.id }).toArray();
  expect(record!.expires_at.getTime()).toBeGreaterThanOrEqual(before.getTime() + IDEMPOTENCY_WINDOW_MS);
});

it('a key that expires in a moment still stands for its event', async () => {
  const body = newEvent();
  const first = await post(body);
  await apis.path.mongo.db
    .collection('idempotency_keys')
    .updateOne({ event_id: first.body.id }, { $set: { expires_at: new Date(Date.now() + 60_000) } });

  expect(await post(body)).toMatchObject({ status: 200, body: { id: first.body.id } });
});

it('a TTL index deletes expired keys', async () => {
  const indexes = await apis.path.mongo.db.collection('idempotency_keys').indexes();

  expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
});

it('of concurrent calls with one key and different data, the ones that were not accepted learn of the mismatch', async () => {
  for (let round = 0; round < 5; round += 1) {
    const idempotencyKey = newKey();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, call) => {
        const data = { from: call };
        return { data, answer: await post({ type: 'order.created', data, idempotency_key: idempotencyKey }, call) };
      }),
    );

    const [event] = await eventsWith(idempotencyKey);
    const accepted = Buffer.from(event!.data!.value()).toString();
    for (const { data, answer } of answers) {
      const isAccepted = JSON.stringify(data) === accepted;
      expect(answer.status).toBe(isAccepted ? 202 : 200);
      expect(answer.body.payload_mismatch).toBe(isAccepted ? undefined : true);
    }
  }
});

it('after a crash, a call with other data creates its own event, and a repeat of it is no mismatch', async () => {
  const body = newEvent();
  const other = { ...body, data: { n: 2 } };
  const first = await post(body);
  await crashBeforeEvent(first);

  const healed = await post(other);
  const repeated = await post(other);
  const late = await post(body);

  expect(healed).toMatchObject({ status: 202, body: { id: first.body.id } });
  expect(repeated.body).toEqual({ ...healed.body, duplicate: true });
  expect(late.body).toEqual({ ...healed.body, duplicate: true, payload_mismatch: true });
});

it('the window begins when the event is accepted, not when its key was first tried', async () => {
  const body = newEvent();
  const first = await post(body);
  await crashBeforeEvent(first);
  // The caller tries again for nearly a day, as after a refusal by a budget.
  await age(first.body.id, IDEMPOTENCY_WINDOW_MS - 60_000);

  const accepted = await post(body, 1);
  await age(first.body.id, 120_000);
  const repeated = await post(body);

  expect(accepted).toMatchObject({ status: 202, body: { id: first.body.id, duplicate: false } });
  expect(repeated).toMatchObject({ status: 200, body: { id: first.body.id, duplicate: true } });
  expect(await eventsWith(body.idempotency_key)).toHaveLength(1);
});

it('two accounts can use the same key', async () => {
  const body = newEvent();
  const other = await buildAccount(apis.path.config, apis.path.mongo);

  const mine = await post(body);
  const theirs = await apis.here.call('POST', EVENTS, body, { Authorization: `Bearer ${other.key}` });

  expect([mine.status, theirs.status]).toEqual([202, 202]);
  expect(mine.body.id).not.toBe(theirs.body.id);
});

it('events without a key are never treated as duplicates', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, call) => post({ type: 'a.b', data: {} }, call)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(20);
});
