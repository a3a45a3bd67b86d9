import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { createIdempotencyStore, IDEMPOTENCY_WINDOW_MS } from '../../src/idempotency/store';
import { startRole, type RunningRole } from '../../src/main';
import { createLogger } from '../../src/platform/logger';
import type { StoredEvent } from '../../src/events/store';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { buildAccount } from '../support/build-stack';
import { buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 7: idempotency. 202 only if this very call created the event; any number of calls make one event.

const EVENTS = '/api/v1/webhooks/events';

let path: DataPath;
/** Two API processes on one database. */
let apis: RunningRole[];
let key: string;

beforeAll(async () => {
  path = await buildDataPath();
  const logger = createLogger(path.config.logLevel);
  apis = await Promise.all([startRole('api', path.config, logger), startRole('api', path.config, logger)]);
  key = (await buildAccount(path.config, path.mongo)).key;
});

afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.close()));
  await path?.close();
});

let keys = 0;

function newKey(): string {
  keys += 1;
  return `key ${keys} of ${Math.random().toString(36).slice(2)}`;
}

function post(body: object, api = 0): Promise<ApiAnswer> {
  return apiClient(apis[api % apis.length]!.url!, key).post(EVENTS, body);
}

function eventsWith(idempotencyKey: string): Promise<StoredEvent[]> {
  return path.mongo.db.collection<StoredEvent>('events').find({ idempotency_key: idempotencyKey }).toArray();
}

test('fifty concurrent calls with each of four keys, on two processes: one event and exactly one 202 for each key', async () => {
  const fourKeys = Array.from({ length: 4 }, newKey);

  const answers = await Promise.all(
    fourKeys.flatMap((idempotencyKey) =>
      Array.from({ length: 50 }, async (_, call) => ({
        idempotencyKey,
        answer: await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey }, call),
      })),
    ),
  );

  for (const idempotencyKey of fourKeys) {
    const own = answers.filter((it) => it.idempotencyKey === idempotencyKey).map(({ answer }) => answer);
    const statuses = own.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(49);
    const created = own.find(({ status }) => status === 202)!.body;
    expect(created.duplicate).toBe(false);
    for (const { status, body } of own) {
      expect(body).toEqual(status === 202 ? created : { ...created, duplicate: true });
    }
    expect((await eventsWith(idempotencyKey)).map(({ _id }) => _id)).toEqual([created.id]);
  }
}, 60_000);

test('a crash between the record and the event is healed by the next call: it creates the event under the recorded id', async () => {
  const idempotencyKey = newKey();
  const first = await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey });
  // What the crash leaves behind: the record, and no event.
  await path.mongo.db.collection<StoredEvent>('events').deleteOne({ _id: first.body.id });

  const healed = await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey }, 1);
  const repeated = await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey });

  expect(healed.status).toBe(202);
  expect(healed.body).toMatchObject({ id: first.body.id, duplicate: false });
  expect(repeated.status).toBe(200);
  expect(repeated.body).toMatchObject({ id: first.body.id, duplicate: true });
  expect(await eventsWith(idempotencyKey)).toHaveLength(1);
});

test('many calls that heal the same crash at once: one of them is answered 202', async () => {
  const idempotencyKey = newKey();
  const body = { type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey };
  const first = await post(body);
  await path.mongo.db.collection<StoredEvent>('events').deleteOne({ _id: first.body.id });

  const answers = await Promise.all(Array.from({ length: 20 }, (_, call) => post(body, call)));

  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.body.id))).toEqual(new Set([first.body.id]));
  expect(await eventsWith(idempotencyKey)).toHaveLength(1);
});

test('a record whose 24 hours are over makes a new event, also while it is still there', async () => {
  const idempotencyKey = newKey();
  const body = { type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey };
  const first = await post(body);
  const records = path.mongo.db.collection<{ _id: string; event_id: number; expires_at: Date }>('idempotency_keys');
  // MongoDB deletes expired records when it comes to it, up to a minute late.
  const { modifiedCount } = await records.updateOne(
    { event_id: first.body.id },
    { $set: { expires_at: new Date(Date.now() - 1_000) } },
  );
  expect(modifiedCount).toBe(1);

  const second = await post(body);
  const third = await post(body, 1);

  expect(second.status).toBe(202);
  expect(second.body.id).not.toBe(first.body.id);
  expect(third.status).toBe(200);
  expect(third.body.id).toBe(second.body.id);
  const [record] = await records.find({ event_id: second.body.id }).toArray();
  expect(record!.expires_at.getTime() - Date.now()).toBeGreaterThan(IDEMPOTENCY_WINDOW_MS - 60_000);
});

test('a record that has a moment left still stands for its event', async () => {
  const idempotencyKey = newKey();
  const body = { type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey };
  const first = await post(body);
  await path.mongo.db
    .collection('idempotency_keys')
    .updateOne({ event_id: first.body.id }, { $set: { expires_at: new Date(Date.now() + 60_000) } });

  expect(await post(body)).toMatchObject({ status: 200, body: { id: first.body.id } });
});

test('MongoDB deletes expired records by itself: there is a TTL index on the expiry', async () => {
  const indexes = await path.mongo.db.collection('idempotency_keys').indexes();

  expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
});

test('the same key with other data, or another type: the original, marked as a mismatch', async () => {
  const idempotencyKey = newKey();
  const body = { type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey };
  const first = await post(body);

  const otherData = await post({ ...body, data: { n: 2 } });
  const otherType = await post({ ...body, type: 'order.deleted' });
  const same = await post(body);

  for (const other of [otherData, otherType]) {
    expect(other.status).toBe(200);
    expect(other.body).toEqual({ ...first.body, duplicate: true, payload_mismatch: true });
  }
  expect(same.body).not.toHaveProperty('payload_mismatch');
  expect(Buffer.from((await eventsWith(idempotencyKey))[0]!.data.value()).toString()).toBe('{"n":1}');
});

test('calls at once with one key and different data: whoever was not the one accepted is told so', async () => {
  for (let round = 0; round < 5; round += 1) {
    const idempotencyKey = newKey();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, call) => {
        const data = { from: call };
        return { data, answer: await post({ type: 'order.created', data, idempotency_key: idempotencyKey }, call) };
      }),
    );

    const [event] = await eventsWith(idempotencyKey);
    const accepted = Buffer.from(event!.data.value()).toString();
    for (const { data, answer } of answers) {
      const isAccepted = JSON.stringify(data) === accepted;
      expect(answer.status).toBe(isAccepted ? 202 : 200);
      expect(answer.body.payload_mismatch).toBe(isAccepted ? undefined : true);
    }
  }
});

test("a crash healed by a call with other data: the event is that call's, and it is no mismatch afterwards", async () => {
  const idempotencyKey = newKey();
  const first = await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey });
  await path.mongo.db.collection<StoredEvent>('events').deleteOne({ _id: first.body.id });

  const healed = await post({ type: 'order.created', data: { n: 2 }, idempotency_key: idempotencyKey });
  const repeated = await post({ type: 'order.created', data: { n: 2 }, idempotency_key: idempotencyKey });
  const late = await post({ type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey });

  expect(healed).toMatchObject({ status: 202, body: { id: first.body.id } });
  expect(repeated.body).toEqual({ ...healed.body, duplicate: true });
  expect(late.body).toEqual({ ...healed.body, duplicate: true, payload_mismatch: true });
});

test('two accounts may use the same key', async () => {
  const idempotencyKey = newKey();
  const other = await buildAccount(path.config, path.mongo);
  const body = { type: 'order.created', data: { n: 1 }, idempotency_key: idempotencyKey };

  const mine = await post(body);
  const theirs = await apiClient(apis[0]!.url!, other.key).post(EVENTS, body);

  expect([mine.status, theirs.status]).toEqual([202, 202]);
  expect(mine.body.id).not.toBe(theirs.body.id);
});

test('a repeat is answered only after a majority has confirmed the record: a primary that will be rolled back can not answer', async () => {
  const commands: CommandStartedEvent[] = [];
  const client = new MongoClient(path.config.mongodb.uri!, { monitorCommands: true });
  client.on('commandStarted', (event) => void commands.push(event));
  try {
    const idempotency = createIdempotencyStore(client.db(path.mongo.db.databaseName));
    const idempotencyKey = newKey();
    const first = await path.promise('order.created', { idempotencyKey, deps: { idempotency } });
    const before = commands.length;

    const repeat = await path.promise('order.created', { idempotencyKey, deps: { idempotency } });

    expect(repeat).toMatchObject({ id: first.id, duplicate: true });
    const update = commands.slice(before).find(({ commandName }) => commandName === 'update')!;
    expect(update.command['update']).toBe('idempotency_keys');
    expect(update.command['writeConcern']).toMatchObject({ w: 'majority', j: true });
  } finally {
    await client.close();
  }
});

test('a repeat whose confirmation fails is not answered with 200', async () => {
  const idempotencyKey = newKey();
  const { idempotency } = path.parts.stores;
  await path.promise('order.created', { idempotencyKey });
  const confirm = (): Promise<void> => Promise.reject(new Error('no majority'));

  const repeat = path.promise('order.created', { idempotencyKey, deps: { idempotency: { ...idempotency, confirm } } });

  await expect(repeat).rejects.toThrow('no majority');
});

test('events without a key are never taken for each other', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, call) => post({ type: 'a.b', data: {} }, call)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(20);
});
