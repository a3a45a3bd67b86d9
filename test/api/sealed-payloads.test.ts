import { randomBytes } from 'node:crypto';
import type { Binary, Document } from 'mongodb';
import { apiClient, expectError } from '../support/api-client';
import { buildApi, startApi } from '../support/build-api';
import { buildCaller, type Caller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { watchReads } from '../support/watch-reads';

// What MongoDB has of payloads can be read only with the key of their account. Callers notice nothing.

const EVENTS = '/api/v1/webhooks/events';
const stack = useStack();
const receiver = useReceiver();
/** A process of before, or with `SEAL_PAYLOADS=off`. */
const unsealing = useFixture(
  'file',
  () => buildApi(stack.config, { sealPayloads: false }),
  (api) => api.close(),
);
beforeAll(() => stack.role.workerReady);

const textOf = (documents: readonly Document[]): string =>
  JSON.stringify(documents, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'Binary'
      ? Buffer.from((value as unknown as Binary).value()).toString('latin1')
      : value,
  );
const storedEvent = async (id: number): Promise<Document> =>
  (await stack.mongo.db.collection('events').findOne({ _id: id as never }))!;

async function searching(fields: readonly string[] = ['customer']): Promise<Caller> {
  const caller = await buildCaller(stack);
  await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: caller.accountId }, { $set: { search_fields: fields } });
  return caller;
}

it('an event, its search values, its hash and its answers are stored sealed; the receiver gets the exact bytes', async () => {
  receiver.answerWith(200, 'canary-body');
  const api = await searching();
  const endpoint = await api.register({ url: receiver.url });
  const data = '{"customer":"canary-customer","n":1.0}';
  const sent = { type: 'order.created', idempotency_key: 'once' };
  const answer = await api.post(EVENTS, `{"type":"order.created","idempotency_key":"once","data":${data}}`);
  expect(answer.status).toBe(202);
  const { id } = answer.body;
  await api.untilEvent(id, 'delivered');

  const event = await storedEvent(id);
  const attempts = await stack.mongo.db.collection('attempts').find({ event_id: id }).toArray();
  expect(event).not.toHaveProperty('data');
  expect(event['search']).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
  expect(textOf([event, ...attempts])).not.toContain('canary');

  expect(receiver.requests[0]!.body.toString()).toContain(`"data":${data}`);
  expect((await api.get(`${EVENTS}/${id}`)).text).toContain(data);
  const [attempt] = (await api.get(`/api/v1/webhooks/deliveries/${id}.${endpoint.id}`)).body.attempts;
  expect(attempt).toMatchObject({ response_snippet: 'canary-body', response_headers: { Date: expect.any(String) } });
  const listed = await api.get(`/api/v1/webhooks/endpoints/${endpoint.id}/attempts`);
  expect(listed.body.data ?? listed.body.attempts).toMatchObject([{ response_snippet: 'canary-body' }]);

  const repeat = await api.post(EVENTS, { ...sent, data: { customer: 'canary-customer', n: 2 } });
  expect(repeat.body).toMatchObject({ id, duplicate: true, payload_mismatch: true });
  const same = await api.post(EVENTS, `{"type":"order.created","idempotency_key":"once","data":${data}}`);
  expect(same.body).toMatchObject({ id, duplicate: true });
  expect(same.body).not.toHaveProperty('payload_mismatch');
});

it('events that were stored in the clear are found beside sealed ones, in their order, by one index', async () => {
  const api = await searching();
  const before = apiClient(unsealing.url, api.key);
  const ids: number[] = [];
  for (const [index, client] of [api, before, api, before].entries()) {
    const { status, body } = await client.post(EVENTS, { type: 'a', data: { customer: 'c1', index } });
    expect(status).toBe(202);
    ids.push(body.id);
  }
  await api.ingest({ data: { customer: 'c2' } });
  const clear = await Promise.all(ids.map(async (id) => 'data' in (await storedEvent(id))));
  expect(clear).toEqual([false, true, false, true]);

  for (const client of [api, before]) {
    const listed = await client.get(`${EVENTS}?data=customer:c1`);
    expect(listed.body.events.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed());
    for (const [index, id] of ids.entries()) {
      expect((await client.get(`${EVENTS}/${id}`)).body.data).toEqual({ customer: 'c1', index });
    }
  }
  const reads = await watchReads(stack.mongo, () => api.get(`${EVENTS}?data=customer:c1&limit=2`));
  const ofEvents = reads.filter(({ collection }) => collection === 'events');
  expect(ofEvents).toMatchObject([{ isScan: false, sorted: 0 }]);
  expect(ofEvents[0]!.documents).toBeLessThanOrEqual(4);
});

it('a repeat is recognised by a process that seals and by one that does not, whichever accepted the event', async () => {
  const api = await buildCaller(stack);
  const other = apiClient(unsealing.url, api.key);
  for (const [first, second] of [
    [api, other],
    [other, api],
  ] as const) {
    const event = { type: 'a', data: { n: 1 }, idempotency_key: `of-${first === api}` };
    expect((await first.post(EVENTS, event)).status).toBe(202);
    const [same, differing] = [await second.post(EVENTS, event), await second.post(EVENTS, { ...event, data: {} })];
    expect(same.body.payload_mismatch).toBeUndefined();
    expect(differing.body.payload_mismatch).toBe(true);
  }
});

it("an ordinary ingest and its attempt ask for no key: the account's is in memory", async () => {
  receiver.answerWith(200);
  const api = await buildCaller(stack);
  await api.register({ url: receiver.url });
  await api.untilEvent((await api.ingest()).id, 'delivered');

  const reads = await watchReads(stack.mongo, async () => {
    for (let count = 0; count < 3; count += 1) await api.untilEvent((await api.ingest()).id, 'delivered');
  });

  expect(reads.filter(({ collection }) => collection === 'data_keys')).toEqual([]);
});

it('concurrent first events of an account get one key', async () => {
  const api = await buildCaller(stack);
  const events = await Promise.all(Array.from({ length: 20 }, () => api.ingest()));
  const another = await buildApi(stack.config);
  try {
    const client = apiClient(another.url, api.key);
    for (const { id } of events) expect((await client.get(`${EVENTS}/${id}`)).body.data).toEqual({ n: 1 });
  } finally {
    await another.close();
  }
  expect(await stack.mongo.db.collection('data_keys').countDocuments({ account_id: api.accountId })).toBe(1);
});

it('schema errors and rehearsals, which quote events, are sealed too', async () => {
  const warning = await buildApi(stack.config, { eventTypes: { ...stack.config.eventTypes, mode: 'warn' } });
  try {
    const owner = await buildCaller(stack);
    const api = apiClient(warning.url, owner.key);
    const type = 'sealed.checked';
    const admin = apiClient(warning.url, (await stack.managementKey()).key);
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, additionalProperties: false };
    expect((await admin.put(`/api/v1/event-types/${type}`, { schema })).status).toBe(201);
    const sent = await api.post(EVENTS, { type, data: { 'canary-name': 1, age: 'canary-value' } });
    expect(sent.status).toBe(202);
    const shown = await api.get(`${EVENTS}/${sent.body.id}`);
    expect(shown.body.schema_errors.length).toBeGreaterThan(0);
    expect((await api.get(EVENTS)).body.events[0].schema_errors).toEqual(shown.body.schema_errors);
    const change = { endpoint: { url: 'https://example.com/', events: ['*'], options: {} } };
    const begun = await api.post('/api/v1/webhooks/rehearsals', { change });
    const rehearsed = await eventually(
      () => api.get(`/api/v1/webhooks/rehearsals/${begun.body.id}`),
      ({ body }) => body.state === 'completed',
    );
    expect(rehearsed.text).toContain('canary');

    const stored = [
      await storedEvent(sent.body.id),
      ...(await stack.mongo.db.collection('rehearsals').find({ account_id: owner.accountId }).toArray()),
    ];
    expect(textOf(stored)).not.toContain('canary');
  } finally {
    await warning.close();
  }
});

it('a process with another key opens nothing, and gives no account a key', async () => {
  const [owner, fresh] = [await buildCaller(stack), await buildCaller(stack)];
  const { id } = await owner.ingest();
  const strange = await startApi(stack.config, { encryptionKeys: [randomBytes(32).toString('base64')] });
  try {
    const [ofOwner, ofFresh] = [owner, fresh].map(({ key }) => apiClient(strange.url, key));
    const event = { type: 'a', data: {} };
    // Its first calls may find that it has no connection to MongoDB yet.
    const isOpen = ({ body }: { body: { code?: string } }) => body.code === 'encryption_key_missing';
    for (const answer of [
      await eventually(() => ofOwner!.get(`${EVENTS}/${id}`), isOpen),
      await ofOwner!.post(EVENTS, event),
      await ofFresh!.post(EVENTS, event),
    ]) {
      expectError(answer, 503, 'encryption_key_missing');
    }
  } finally {
    await strange.close();
  }
  expect(await stack.mongo.db.collection('data_keys').countDocuments({ account_id: fresh.accountId })).toBe(0);
  expect((await owner.get(`${EVENTS}/${id}`)).status).toBe(200);
});
