import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAccountStore } from '../../src/accounts/account-store';
import { beginDeletion, continueDeletion } from '../../src/account-lifecycle/delete-account';
import { createDeletionStore } from '../../src/account-lifecycle/deletion-store';
import { createSuspensionStore } from '../../src/account-lifecycle/suspension-store';
import { followEvents } from '../../src/cli/event-stream';
import { BY_COMMAND_LINE as BY } from '../../src/domain/audit-actions';
import type { Mongo } from '../../src/platform/mongo';
import { createReplayStore } from '../../src/replays/replay-store';
import type { StoredAnswer } from '../../src/stores/attempt-store';
import { createBacklogStore } from '../../src/stores/backlog-store';
import { createDeliveryStore } from '../../src/stores/delivery-store';
import { createEventStore } from '../../src/stores/event-store';
import { createErasedDataStore } from '../../src/stores/erased-data-store';
import { createIdempotencyStore } from '../../src/stores/idempotency-store';
import { createAttemptExpiryStore } from '../../src/stores/attempt-expiry-store';
import { createRetentionMigrationStore } from '../../src/stores/retention-migration-store';
import { createRetentionStore } from '../../src/stores/retention-store';
import { buildCaller, useCaller, type Caller } from '../support/build-caller';
import { buildAttempt, ownType } from '../support/build-data-path';
import { buildStack, FAST_SWEEPERS, UNLIMITED, type Stack } from '../support/build-stack';
import { operations } from '../support/conformance';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { putEventTypes, requestOf, senderOf, type OperationRequest } from '../support/operation-requests';
import { openerOf } from '../support/open-payloads';
import { readShardKeys } from '../support/shard-keys';
import { watchCommands, type CountedRoute } from '../support/watch-commands';

// The record can be sharded (docs/sharding.md): a router sends each write of the data path to one shard. The package
// registries have no router. So real processes, which believe that they talk to one, run everything that happens to an event,
// and test/support/router-rules.ts says where a router would send each of their commands.

const WEBHOOKS = '/api/v1/webhooks';
const RETENTION_MS = 30 * 86_400_000;
const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'sharding.md'), 'utf8');
const KEYS = readShardKeys([
  ...['events', 'attempts', 'idempotency_keys', 'attempt_counts', 'rates', 'ordered_endpoints'],
]);
const watched = watchCommands(KEYS);

/**
 * Reads that every shard answers, by the begin of their filter. Another one without its shard key fails. What those without
 * an order miss is in docs/sharding.md.
 */
const GATHERED: readonly (readonly [collection: string, filter: string, reason: string])[] = [
  ['events', 'account_id =', 'lists, counts and searches of an account; parts of it that are removed or cancelled'],
  [
    'events',
    'destinations.dispatch =',
    'the searches of sweeper and gates: what is due, what is held, and by which endpoints',
  ],
  ['events', 'destinations.next_attempt_at $g', 'the search for overdue deliveries, and the metrics of lateness'],
  ['events', 'erase_attempts_until $g', 'the search for erased events whose late answers have come'],
  ['events', 'expires_at =', 'the migration of events of an earlier version'],
  ['attempts', 'endpoint_id =', 'the list of attempts to an endpoint'],
  ['attempts', '_id $in, answer $exists', 'the statistics of an endpoint'],
  ['attempts', 'expires_at =', 'the migration of attempts of an earlier version'],
  ['attempt_counts', '_id $g', 'the health of an endpoint or an account'],
  ['attempt_counts', '$or', 'the health of several endpoints'],
  ['attempt_counts', 'account_id =', 'the deletion of an account'],
  ['idempotency_keys', '_id $g', 'the deletion of an account'],
];

/** A receiver: `/ok` answers 200, `/fails` 500, `/flaky` 500 to the first attempt of each event, `/slow` a body in two parts. */
const receiver = useFixture('file', buildReceiver, async (it) => it.close());

async function buildReceiver() {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const id = `${request.url}/${String(request.headers['x-webhook-id'])}`;
      const isFirst = !seen.has(id);
      seen.add(id);
      const fails = request.url === '/fails' || (request.url === '/flaky' && isFirst);
      response.writeHead(fails ? 500 : 200);
      if (request.url !== '/slow') return void response.end('x');
      response.write('first');
      setImmediate(() => setTimeout(() => response.end('second'), 100));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    at: (path: string) => `http://127.0.0.1:${port}/${path}`,
    close: () => server.close(() => undefined).closeAllConnections(),
  };
}

/** Registers a new endpoint. @returns its id, and the type of its events */
async function register(caller: Caller, path: string, options?: object) {
  const type = ownType();
  const body = { url: receiver.at(path), events: [type], ...(options && { options }) };
  return { type, id: (await caller.register(body)).id as string };
}

const send = (caller: Caller, type: string, count = 1): Promise<{ id: number }[]> =>
  Promise.all(Array.from({ length: count }, () => caller.ingest({ type })));

async function untilAll(caller: Caller, events: readonly { id: number }[], status: string): Promise<void> {
  for (const { id } of events) await caller.untilEvent(id, status);
}

const deliveryOf = ({ id }: { id: number }, endpoint: { id: string }): string => `${id}.${endpoint.id}`;

/** Events arrive, alone and in batches, and are delivered or not; those that failed are replayed. */
async function deliverAll(caller: Caller): Promise<void> {
  const [ok, flaky, fails, slow] = await Promise.all(
    ['ok', 'flaky', 'fails', 'slow'].map((it) => register(caller, it)),
  );
  await untilAll(caller, await send(caller, ok!.type, 12), 'delivered');
  await untilAll(caller, await send(caller, slow!.type, 3), 'delivered');
  await untilAll(caller, await send(caller, flaky!.type, 5), 'delivered');
  const failed = await send(caller, fails!.type, 4);
  await untilAll(caller, failed, 'failed');

  // Repeats, alone and in batches.
  const key = ownType();
  for (let turn = 0; turn < 3; turn += 1) {
    const { status } = await caller.post(`${WEBHOOKS}/events`, { type: ok!.type, data: {}, idempotency_key: key });
    expect(status).toBe(turn === 0 ? 202 : 200);
  }
  const batch = Array.from({ length: 6 }, (_, index) => ({
    type: ok!.type,
    data: {},
    idempotency_key: `${key}-${index % 4}`,
  }));
  for (let turn = 0; turn < 2; turn += 1)
    expect((await caller.post(`${WEBHOOKS}/events/batch`, { events: batch })).status).toBeLessThan(300);

  // Replays: of one, of an event, of all.
  const first = `${WEBHOOKS}/deliveries/${deliveryOf(failed[0]!, fails!)}`;
  expect((await caller.post(`${first}/replay`, {})).status).toBe(202);
  expect((await caller.post(`${WEBHOOKS}/events/${failed[1]!.id}/replay`, {})).status).toBe(202);
  await caller.untilDelivery(deliveryOf(failed[0]!, fails!), 'failed', 2);
  await caller.untilDelivery(deliveryOf(failed[1]!, fails!), 'failed', 2);
  const { body: job } = await caller.post(`${WEBHOOKS}/replays`, { filter: { state: 'failed' }, rate_per_second: 500 });
  await eventually(
    () => caller.get(`${WEBHOOKS}/replays/${job.job_id}`),
    ({ body }) => body.state === 'completed',
  );
  const { body: stats } = await caller.get(`${WEBHOOKS}/endpoints/${ok!.id}/stats`);
  expect(stats.attempts.total).toBeGreaterThan(0);
}

/** Between two attempts: retries now, cancels one, and cancels all of an endpoint. */
async function changeWaiting(caller: Caller): Promise<void> {
  const waits = await register(caller, 'fails', { retry_schedule: [0, 3600] });
  const waiting = await send(caller, waits.type, 4);
  for (const event of waiting) await caller.untilDelivery(deliveryOf(event, waits), 'retrying');
  expect((await caller.post(`${WEBHOOKS}/deliveries/${deliveryOf(waiting[0]!, waits)}/retry`, {})).status).toBe(202);
  expect(
    (await caller.post(`${WEBHOOKS}/deliveries/${deliveryOf(waiting[1]!, waits)}/cancel`, {})).status,
  ).toBeLessThan(300);
  await caller.post(`${WEBHOOKS}/endpoints/${waits.id}/cancel-deliveries`, {});
  await caller.untilDelivery(deliveryOf(waiting[2]!, waits), 'cancelled');
}

/** Deliveries wait for gates: of an endpoint that is paused, ordered, or has a rate. */
async function passGates(caller: Caller): Promise<void> {
  const paused = await register(caller, 'ok');
  expect((await caller.post(`${WEBHOOKS}/endpoints/${paused.id}/pause`, {})).status).toBe(200);
  const held = await send(caller, paused.type, 6);
  expect((await caller.post(`${WEBHOOKS}/endpoints/${paused.id}/resume`, {})).status).toBe(200);
  await untilAll(caller, held, 'delivered');
  for (const options of [{ ordered: true }, { max_per_second: 50 }]) {
    const { type } = await register(caller, 'flaky', options);
    await untilAll(caller, await send(caller, type, 2), 'delivered');
    const batch = Array.from({ length: 2 }, () => ({ type, data: {} }));
    const { body } = await caller.post(`${WEBHOOKS}/events/batch`, { events: batch });
    await untilAll(caller, body.results as { id: number }[], 'delivered');
  }
}

/** A client of `everpost listen`, which begins and then resumes. */
async function listen(caller: Caller, url: string): Promise<void> {
  const type = ownType();
  const stop = new AbortController();
  const seen: number[] = [];
  const following = (async () => {
    const stream = followEvents({
      url,
      key: caller.key,
      events: type,
      signal: stop.signal,
      onNotice: () => undefined,
      onOpen: () => void caller.ingest({ type }),
    });
    for await (const event of stream) {
      seen.push(event.id);
      if (seen.length > 0) return;
    }
  })();
  await following;
  stop.abort();
  expect(seen).toHaveLength(1);
}

/** What happens only after a crash, or in the background: by the stores, on a connection of their own. */
async function repair(mongo: Mongo, { config }: Stack, caller: Caller): Promise<void> {
  const { db } = mongo;
  const payloads = openerOf(config, mongo);
  const deliveries = createDeliveryStore(db, 45_000, RETENTION_MS, payloads);
  const events = createEventStore(db, payloads);
  const { id: endpointId, type } = await register(caller, 'fails', { retry_schedule: [0, 3600] });
  const sent = await send(caller, type, 3);
  const refs = sent.map(({ id }) => ({ eventId: id, endpointId, run: 1 }));
  for (const { eventId } of refs) await caller.untilDelivery(`${eventId}.${endpointId}`, 'retrying');
  const inputs = refs.map((ref) => buildAttempt(ref, { number: 2 }));
  const loaded = await Promise.all(refs.map(async (ref) => (await deliveries.load(ref))!));
  // Two owners claim, one again, and lets go.
  for (const owner of ['one', 'one', 'other']) await Promise.all(inputs.map((input) => deliveries.claim(input, owner)));
  await Promise.all(inputs.map((input) => deliveries.isUnderWay(input)));
  await deliveries.release(inputs[0]!, 'one');
  const { answer } = (await deliveries.claim(buildAttempt(refs[0]!), 'one')) as { readonly answer: StoredAnswer };
  for (const isNew of [true, false])
    await Promise.all(loaded.map(({ event }, index) => deliveries.record(inputs[index]!, answer, { event, isNew })));
  await deliveries.settled(refs[0]!);
  await deliveries.releasePromises(refs);
  await Promise.all(refs.map((ref) => deliveries.hold(ref, 'paused')));
  await deliveries.releaseHeld(refs, 'owner', true);
  await Promise.all(refs.map((ref) => deliveries.takeStart(ref, new Date())));
  await Promise.all(refs.map((ref) => deliveries.isDue(ref)));
  await deliveries.endpointsThatHold('', 10);
  const idempotency = createIdempotencyStore(db);
  const reservations = sent.map(({ id }) => ({
    accountId: caller.accountId,
    key: `repair-${id}`,
    eventId: id,
    now: new Date(),
  }));
  for (let turn = 0; turn < 2; turn += 1) await idempotency.reserve(reservations);
  await idempotency.renew(reservations);
  await events.findSummaries(
    caller.accountId,
    sent.map(({ id }) => id),
  );
  await createBacklogStore(db).lateness(new Date());
  const erased = createErasedDataStore(db, RETENTION_MS);
  const ids = sent.map(({ id }) => id);
  await erased.eraseEvents(caller.accountId, ids);
  await erased.eraseAttempts(ids, 1_000);
  await erased.eraseLateAnswers(new Date(Date.now() + RETENTION_MS), 1_000);
}

/** Retention, and the deletion of an account. */
async function remove({ db }: Mongo, plain: Mongo, caller: Caller): Promise<void> {
  // Of an earlier version: an event and an attempt without an expiry.
  const { type, id: endpointId } = await register(caller, 'ok');
  const events = await send(caller, type, 3);
  for (const event of events) await caller.untilDelivery(deliveryOf(event, { id: endpointId }), 'delivered');
  const isOurs = { $in: events.map(({ id }) => id) };
  const old = { $unset: { expires_at: 1 as const, retention_ms: 1 as const } };
  for (const id of isOurs.$in) {
    await plain.db.collection<{ _id: number }>('events').updateOne({ _id: id }, old);
    await plain.db.collection('attempts').updateOne({ event_id: id }, old);
  }
  const ours = (): Promise<boolean> => Promise.resolve(true);
  const migration = createRetentionMigrationStore(db, RETENTION_MS);
  expect(await migration.migrateEvents(ours)).toBe(3);
  expect(await migration.migrateAttempts(new Date(), ours)).toBe(3);
  // Much later they are replayed, or wait, or are cancelled.
  const late = createAttemptExpiryStore(db, RETENTION_MS, () => Date.now() + 2 * RETENTION_MS);
  await late.whileUnfinished(isOurs.$in);
  await late.beforeCancel(isOurs.$in);
  await createRetentionStore(db, RETENTION_MS).keepHeld(new Date(), ours);
  const accounts = createAccountStore(db);
  const deletions = createDeletionStore(db);
  const suspensions = createSuspensionStore(db, createReplayStore(db, 1_000));
  await beginDeletion({ deletions, suspensions }, caller.accountId, BY);
  await continueDeletion({ accounts, deletions, underWayMs: 0 }, caller.accountId);
}

/** Every operation of the API, once. */
async function callEverything(stack: Stack, caller: Caller): Promise<void> {
  const { key: management } = await stack.managementKey();
  await putEventTypes(stack.url, management);
  const requests = new Map<string, OperationRequest>();
  // A stream has no end.
  const called = operations.filter(({ id }) => id !== 'listen');
  await Promise.all(called.map(async (it) => requests.set(it.id, await requestOf(it, caller))));
  // Those of the installation suspend and delete the account.
  const inOrder = called.toSorted(
    (one, other) => Number(one.forInstallation ?? false) - Number(other.forInstallation ?? false),
  );
  for (const operation of inOrder) {
    const request = requests.get(operation.id)!;
    const answer = await senderOf(operation, stack.url, operation.forInstallation ? management : caller.key)(request);
    expect([operation.id, answer.status]).not.toEqual([operation.id, 401]);
    expect(answer.status).toBeLessThan(500);
  }
}

describe.each(['workflow', 'express'])('FIRST_ATTEMPT=%s', (mode) => {
  const env = { ...UNLIMITED, FIRST_ATTEMPT: mode, RETRY_SCHEDULE: '0s,100ms,100ms' };
  const stack = useFixture(
    'file',
    () => buildStack({ ...FAST_SWEEPERS, connect: watched.connect, env }),
    (it) => it.close(),
  );
  const own = useFixture(
    'file',
    async () => watched.connect(stack.config),
    (it) => it.close(),
  );
  const caller = useCaller(stack);

  const lives: readonly (readonly [string, () => Promise<void>])[] = [
    ['events are delivered, retried and replayed', () => deliverAll(caller)],
    ['deliveries between two attempts are retried and cancelled', () => changeWaiting(caller)],
    ['gates hold and release', () => passGates(caller)],
    ['a client listens', () => listen(caller, stack.url)],
    ['what a crash left is repaired', () => repair(own, stack, caller)],
    ['every operation is called', async () => callEverything(stack, await buildCaller(stack))],
    ['what is old is removed, and an account is deleted', () => remove(own, stack.mongo, caller)],
  ];
  // The operations are the same in both modes.
  const of = lives.filter(([title]) => mode === 'express' || title !== 'every operation is called');

  it.each(of)('%s', async (_, live) => {
    await expect(live()).resolves.toBeUndefined();
  });
});

describe('a router', () => {
  let routes: CountedRoute[];
  const ofSharded = () => routes.filter(({ collection }) => KEYS.has(collection));
  const isGathered = ({ route }: CountedRoute): boolean => route.startsWith('gathered');

  beforeAll(() => {
    routes = watched.routes();
    if (process.env['TEST_PRINT_COMMANDS']) process.stdout.write(tableOf(ofSharded()));
  });

  it('gets every kind of write that the data path makes', () => {
    const written = new Set(
      ofSharded().map(({ collection, operation }) => `${collection} ${operation.split(',')[0]!}`),
    );
    for (const collection of KEYS.keys()) expect([...written].join('\n')).toContain(`${collection} `);
    for (const kind of ['attempts findOneAndUpdate', 'attempts deleteOne', 'attempts updateMany', 'events updateOne'])
      expect(written).toContain(kind);
  });

  it('sends no write to every shard, and refuses none', () => {
    expect(routes.filter(({ route }) => route === 'broadcast' || route === 'refused')).toEqual([]);
  });

  it('gathers the reads of a named list, and no others', () => {
    const names = ({ collection, shape }: CountedRoute) =>
      GATHERED.filter(([of, filter]) => of === collection && shape.startsWith(filter));
    const gathered = ofSharded().filter((it) => isGathered(it));

    expect(gathered.filter((it) => names(it).length === 0)).toEqual([]);
    const seen = gathered.flatMap((it) => names(it));
    expect(GATHERED.filter((it) => !seen.includes(it))).toEqual([]);
  });

  it('runs each transaction on the primary shard', () => {
    expect(routes.filter(({ inTransaction }) => inTransaction).length).toBeGreaterThan(0);
    expect(ofSharded().filter(({ inTransaction }) => inTransaction)).toEqual([]);
  });

  it('joins no sharded collection, and only events have change streams', () => {
    expect(watched.joins().filter((pair) => pair.split(' → ').some((name) => KEYS.has(name)))).toEqual([]);
    const streams = routes.filter(({ route }) => route === 'change stream');
    expect(new Set(streams.map(({ collection }) => collection))).toEqual(new Set(['events']));
  });

  it('knows each collection by docs/sharding.md', () => {
    const collections = new Set(routes.filter(({ route }) => route !== 'session').map(({ collection }) => collection));
    collections.delete('(database)');
    const [, sharded = '', staying = ''] = PAGE.split(/^## What is sharded|^## What stays/m);
    const namesIn = (part: string) => new Set([...part.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!));

    expect([...KEYS.keys()].filter((name) => !namesIn(sharded).has(name))).toEqual([]);
    expect([...collections].filter((name) => !KEYS.has(name) && !namesIn(staying).has(name))).toEqual([]);
  });
});

/** The statements that sharded collections got, as a table of Markdown. */
function tableOf(routes: readonly CountedRoute[]): string {
  const rows = routes
    .filter(({ route }) => route !== 'definition' && route !== 'session')
    .map(({ collection, operation, shape, route, count }) => [
      `\`${collection}\``,
      operation,
      shape && `\`${shape}\``,
      route,
      count,
    ]);
  return [['Collection', 'Statement', 'Filter', 'Route', 'Count'], ['---', '---', '---', '---', '---:'], ...rows]
    .map((row) => `| ${row.join(' | ')} |\n`)
    .join('');
}
