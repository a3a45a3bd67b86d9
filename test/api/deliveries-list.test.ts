import { expectError, type ApiClient } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { ACCEPTED_AT, buildEndpointId, insertEvents } from '../support/build-events';
import { useStack } from '../support/build-stack';

const DELIVERIES = '/api/v1/webhooks/deliveries';
const EVENTS = '/api/v1/webhooks/events';
const A = `ep_${'a'.repeat(26)}`;
const B = `ep_${'b'.repeat(26)}`;
const at = (seconds: number): string => new Date((ACCEPTED_AT + seconds) * 1_000).toISOString();

const stack = useStack({ role: 'api' });
const api = useCaller(stack);
const stranger = useCaller(stack);

beforeAll(async () => {
  const { accountId } = api;
  await insertEvents(stack.mongo, [
    // Ids are not chronological.
    { id: 50, accountId, acceptedAt: ACCEPTED_AT, deliveries: [{ endpointId: A, state: 'failed' }] },
    {
      id: 7,
      accountId,
      acceptedAt: ACCEPTED_AT + 1,
      deliveries: [
        { endpointId: A, state: 'delivered' },
        { endpointId: B, state: 'failed' },
      ],
    },
    {
      id: 9,
      accountId,
      acceptedAt: ACCEPTED_AT + 2,
      type: 'user.left',
      deliveries: [{ endpointId: B, state: 'pending' }],
    },
    { id: 8, accountId, acceptedAt: ACCEPTED_AT + 3, type: 'user.left', deliveries: [] },
    { id: 60, accountId: stranger.accountId, deliveries: [{ endpointId: buildEndpointId(), state: 'failed' }] },
  ]);
});

/** Ids of all pages of a list. */
async function everyId(list: ApiClient, path: string, items: 'deliveries' | 'events'): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const { status, body } = await list.get(`${path}${more}`);
    expect(status).toBe(200);
    ids.push(...body[items].map(({ id }: { id: unknown }) => id));
    cursor = body.next_cursor;
  } while (cursor !== null);
  return ids;
}

const ALL = [`9.${B}`, `7.${B}`, `7.${A}`, `50.${A}`];

it.each([1, 2, 3, 4, 100])('deliveries are listed newest first, in pages of %i', async (limit) => {
  expect(await everyId(api, `${DELIVERIES}?limit=${limit}`, 'deliveries')).toEqual(ALL);
});

it.each([
  ['state=failed', [`7.${B}`, `50.${A}`]],
  ['state=cancelled', []],
  ['state=open', [`9.${B}`]],
  [`endpoint_id=${A}`, [`7.${A}`, `50.${A}`]],
  [`endpoint_id=${A}&state=failed`, [`50.${A}`]],
  ['event_id=7', [`7.${B}`, `7.${A}`]],
  ['event_id=60', []],
  ['event_id=7&state=failed', [`7.${B}`]],
  ['type=user.left', [`9.${B}`]],
  ['type=user', []],
  ['type=user.*', [`9.${B}`]],
  ['type=order.*&state=failed', [`7.${B}`, `50.${A}`]],
  ['type=use.*', []],
  ['event_id=7&type=order.*', [`7.${B}`, `7.${A}`]],
  [`after=${at(1)}`, [`9.${B}`, `7.${B}`, `7.${A}`]],
  [`before=${at(1)}`, [`50.${A}`]],
  [`after=${at(1)}&before=${at(2)}&type=order.created&state=delivered`, [`7.${A}`]],
])('deliveries are filtered by %s', async (query, expected) => {
  expect(await everyId(api, `${DELIVERIES}?${query}`, 'deliveries')).toEqual(expected);
});

it.each([
  ['', [8, 9, 7, 50]],
  ['?type=user.left', [8, 9]],
  ['?status=no_destinations', [8]],
  ['?status=partially_failed', [7]],
  ['?status=failed', [50]],
  ['?status=pending', [9]],
  [`?before=${at(2)}`, [7, 50]],
  [`?after=${at(2)}&type=user.left&status=pending`, [9]],
  ['?type=order.*', [7, 50]],
  ['?type=user.*&status=pending', [9]],
])('events are listed newest first: %s', async (query, expected) => {
  expect(await everyId(api, `${EVENTS}${query}`, 'events')).toEqual(expected);
  const small = query === '' ? '?limit=1' : `${query}&limit=1`;
  expect(await everyId(api, `${EVENTS}${small}`, 'events')).toEqual(expected);
});

it('a listed event shows its deliveries, but neither data nor attempts', async () => {
  const { body } = await api.get(`${EVENTS}?status=partially_failed`);

  expect(body.events).toHaveLength(1);
  expect(body.events[0]).toMatchObject({
    id: 7,
    type: 'order.created',
    timestamp: ACCEPTED_AT + 1,
    status: 'partially_failed',
    deliveries: [
      { id: `7.${A}`, state: 'delivered', run: 1 },
      { id: `7.${B}`, state: 'failed', run: 1 },
    ],
  });
  expect(body.events[0]).not.toHaveProperty('data');
  expect(body.events[0].deliveries[0]).not.toHaveProperty('attempts');
});

it("no filter finds another account's deliveries or events", async () => {
  for (const query of ['', `?endpoint_id=${A}`, '?event_id=7', '?type=user.left', '?state=failed']) {
    const ids = await everyId(stranger, `${DELIVERIES}${query}`, 'deliveries');
    expect(ids.filter((id) => ALL.includes(String(id)))).toEqual([]);
  }
  expect(await everyId(stranger, EVENTS, 'events')).toEqual([60]);
});

it("another account's cursor finds nothing of that account", async () => {
  const { next_cursor: cursor } = (await api.get(`${DELIVERIES}?limit=1`)).body;

  expect((await stranger.get(`${DELIVERIES}?cursor=${cursor}`)).body.deliveries).toMatchObject([{ event_id: 60 }]);
});

it.each([
  [DELIVERIES, 'state=done', 'state'],
  [DELIVERIES, 'replay_id=rpl_1', 'replay_id'],
  [DELIVERIES, 'endpoint_id=ep_1', 'endpoint_id'],
  [DELIVERIES, 'event_id=x', 'event_id'],
  [DELIVERIES, 'event_id=-1', 'event_id'],
  [DELIVERIES, 'type=order*', 'type'],
  [EVENTS, 'type=*', 'type'],
  [EVENTS, 'idempotency_key=', 'idempotency_key'],
  [DELIVERIES, 'after=yesterday', 'after'],
  [DELIVERIES, 'before=2026-11-21', 'before'],
  [DELIVERIES, 'limit=101', 'limit'],
  [DELIVERIES, 'status=failed', 'status'],
  [DELIVERIES, 'cursor=x', 'cursor'],
  [DELIVERIES, `cursor=${Buffer.from('1 1.1').toString('base64url')}`, 'cursor'],
  [DELIVERIES, `cursor=${Buffer.from('999999999999999 1.1.').toString('base64url')}`, 'cursor'],
  [EVENTS, 'status=done', 'status'],
  [EVENTS, 'state=failed', 'state'],
  [EVENTS, 'cursor=x', 'cursor'],
])('%s?%s answers 400 and says what is wrong', async (path, query, field) => {
  const details = [expect.objectContaining({ path: field })];

  expectError(await api.get(`${path}?${query}`), 400, { details });
});

it("an idempotency key finds only the account's own event", async () => {
  const [caller, other] = [await buildCaller(stack), await buildCaller(stack)];
  const key = 'ord 42/created';
  const { id } = await caller.ingest({ type: 'order.created', idempotency_key: key });
  await caller.ingest({ idempotency_key: 'another' });
  await caller.ingest();
  await other.ingest({ idempotency_key: key });
  const path = `${EVENTS}?idempotency_key=${encodeURIComponent(key)}`;

  const { body } = await caller.get(path);

  expect(body).toMatchObject({ events: [{ id, idempotency_key: key }], next_cursor: null });
  expect(await everyId(caller, `${path}&type=order.*&status=no_destinations`, 'events')).toEqual([id]);
  expect(await everyId(caller, `${path}&status=failed`, 'events')).toEqual([]);
  expect(await everyId(caller, `${EVENTS}?idempotency_key=none`, 'events')).toEqual([]);
});

it('a cursor of another list is refused', async () => {
  const cursorOf = async (path: string) => (await api.get(`${path}?limit=1`)).body.next_cursor as string;
  const [ofEvents, ofDeliveries] = [await cursorOf(EVENTS), await cursorOf(DELIVERIES)];
  const wrong = [
    `${DELIVERIES}?cursor=${ofEvents}`,
    `${EVENTS}?cursor=${ofDeliveries}`,
    `/api/v1/webhooks/endpoints?cursor=${ofEvents}`,
    `/api/v1/webhooks/replays?cursor=${ofDeliveries}`,
  ];

  for (const path of wrong) {
    const details = [{ path: 'cursor', message: expect.stringContaining('of this list') }];
    expectError(await api.get(path), 400, { details });
  }
});

it('an event id may have 16 digits', async () => {
  const { status, body } = await api.get(`${DELIVERIES}?event_id=9007199254740991`);
  expect([status, body.deliveries]).toEqual([200, []]);
  expectError(await api.get(`${DELIVERIES}?event_id=9007199254740993`), 400, 'invalid_request');
});

it.each(['-1', '0', '99999999999999999999', 'x', '1.5', ''])('event_id=%s is not an event id', async (id) => {
  const error = '"event_id" must be an event id.';
  expectError(await api.get(`${DELIVERIES}?event_id=${id}`), 400, { error });
});

it.each(['limit=5&limit=6', 'state=failed&state=delivered', 'event_id=1&event_id=2'])(
  'a parameter that is there twice is refused as such: %s',
  async (query) => {
    const details = [{ path: query.split('=')[0]!, message: 'must be there once' }];
    expectError(await api.get(`${DELIVERIES}?${query}`), 400, { details });
  },
);

it.each(['-1', '0', '101', '1000', 'ten', '1.5', ''])('limit=%s says the range', async (limit) => {
  const error = '"limit" must be a whole number from 1 to 100.';
  for (const path of [EVENTS, DELIVERIES]) expectError(await api.get(`${path}?limit=${limit}`), 400, { error });
});

it.each([
  `${EVENTS}/7`,
  `${DELIVERIES}/7.${A}`,
  `/api/v1/webhooks/endpoints/${A}`,
  `/api/v1/webhooks/replays/rpl_${'0'.repeat(26)}`,
  '/api/v1/keys/self',
])('an unknown parameter of %s is refused', async (path) => {
  expectError(await api.get(`${path}?foo=1`), 400, {
    code: 'invalid_request',
    details: [{ path: 'foo', message: 'is not a known parameter' }],
  });
});

it('a parameter without a name is refused', async () => {
  expectError(await api.get(`${DELIVERIES}?=1`), 400, { error: 'The query has a parameter without a name.' });
});

it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'a time in the distant past or future is accepted: %s',
  async (time) => {
    expect((await api.get(`${DELIVERIES}?after=${time}`)).status).toBe(200);
    expect((await api.get(`${EVENTS}?before=${time}`)).status).toBe(200);
  },
);

it('503 while the index of a list is being built', async () => {
  const events = stack.mongo.db.collection('events');
  const name = (await events.indexes()).find(
    ({ key }) => 'account_id' in key && 'destinations.endpoint_id' in key,
  )!.name!;
  await events.dropIndex(name);

  expectError(await api.get(`${DELIVERIES}?endpoint_id=${A}`), 503, 'list_not_ready');
});
