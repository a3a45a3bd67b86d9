import { beginDeletion, continueDeletion } from '../../src/account-lifecycle/delete-account';
import { createDeletionStore } from '../../src/account-lifecycle/deletion-store';
import { createAccountStore } from '../../src/accounts/account-store';
import { createSuspensionStore } from '../../src/account-lifecycle/suspension-store';
import { BY_COMMAND_LINE as BY } from '../../src/domain/audit-actions';
import { signedUp, useDashboardStack } from '../dashboard/browser';
import { createReachedQuotaStore } from '../../src/limits/reached-quota-store';
import { createStorageStore } from '../../src/limits/storage-store';
import { createReplayStore } from '../../src/replays/replay-store';
import { apiClient, untilStatus } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';

const WEBHOOKS = '/api/v1/webhooks';

const stack = useDashboardStack({ env: { RETRY_SCHEDULE: '0s,1h' } });
const receiver = useReceiver();
const { json, expectRefused } = cliOf(stack);

/** An account that has something in every collection. */
async function buildFullAccount() {
  const { accountId, email, userId } = await signedUp(stack);
  await json('account', 'set-tier', '--id', accountId, '--tier', 'enterprise');
  const { key, id: keyId } = await json('key', 'create', '--account', accountId, '--product', 'weh', '--label', 'x');
  await json('user', 'setup-link', '--account', accountId);
  await json('user', 'create', '--email', `second-${email}`, '--account', accountId);
  const api = apiClient(stack.url, key);
  receiver.answerWith(500);
  const endpoints: string[] = [];
  for (const options of [{}, { ordered: true }, { max_per_second: 100 }]) {
    const { status, body } = await api.post(`${WEBHOOKS}/endpoints`, { url: receiver.url, options });
    expect(status).toBe(201);
    endpoints.push(body.id as string);
  }
  const events: number[] = [];
  for (const count of [1, 2]) {
    const { body } = await api.post(`${WEBHOOKS}/events`, { type: 'a', data: {}, idempotency_key: `key-${count}` });
    events.push(body.id as number);
  }
  // One each, but the ordered endpoint gets its second event only after the first.
  const attempts = endpoints.length * events.length - 1;
  await eventually(
    () => api.get(`${WEBHOOKS}/health`),
    ({ body }) => body.totals.attempts === attempts,
  );
  // A delivery that fails after its last attempt creates an operational event, which has an idempotency key of its own.
  const failing = { url: receiver.url, events: ['final', 'everpost.*'], options: { retry_schedule: [0] } };
  endpoints.push((await api.post(`${WEBHOOKS}/endpoints`, failing)).body.id as string);
  events.push((await api.post(`${WEBHOOKS}/events`, { type: 'final', data: {} })).body.id as number);
  const operational = { _id: { $regex: `^operational/${accountId}:` } };
  await eventually(
    () => stack.mongo.db.collection<{ _id: string }>('idempotency_keys').countDocuments(operational),
    (found) => found > 0,
  );
  expect((await api.post(`${WEBHOOKS}/replays`, { filter: { state: 'failed' } })).status).toBe(202);
  await api.get('/api/cost-estimator', { 'x-api-key': key! });
  await eventually(
    // Of the last call: then no other one is counted later.
    () => stack.mongo.db.collection('usage').countDocuments({ account_id: accountId, operation: 'getCatalog' }),
    (found) => found > 0,
  );
  const month = { reached_at: new Date(), resets_at: new Date(Date.now() + 86_400_000) };
  await createStorageStore(stack.mongo.db).add(accountId, new Date().toISOString().slice(0, 10), 5);
  const reachedQuotas = createReachedQuotaStore(stack.mongo.db);
  await reachedQuotas.note({ account_id: accountId, level: 80, used: 8, limit: 10, ...month });
  await untilAtRest(accountId);
  return { accountId, api, words: [accountId, email, userId, keyId!, ...endpoints, ...events.map(String)] };
}

/** Resolves when no replay, delivery or attempt of an account is under way and every attempt is counted: it writes no more. */
async function untilAtRest(accountId: string): Promise<void> {
  const { db } = stack.mongo;
  const theirs = { account_id: accountId };
  await eventually(
    async () => {
      const endpoints = await db.collection<{ _id: string }>('endpoints').distinct('_id', theirs);
      const ofThem = { endpoint_id: { $in: endpoints } };
      const counts = db.collection<{ attempts: number }>('attempt_counts').find({ ...ofThem, grain: '5m' });
      const counted = (await counts.toArray()).reduce((sum, { attempts }) => sum + attempts, 0);
      return (
        (await db.collection('replays').countDocuments({ ...theirs, state: 'running' })) +
        (await db.collection('events').countDocuments({ ...theirs, 'destinations.dispatch': 'due' })) +
        Math.abs((await db.collection('attempts').countDocuments(ofThem)) - counted)
      );
    },
    (underWay) => underWay === 0,
  );
}

/** Of the installation: the random ids of the last 50 keys that ended, which every process has to hear of. */
const REVOCATIONS = 'key_revocations';

/** Documents that hold one of the words, by collection. */
async function traces(words: readonly string[]): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const { name } of await stack.mongo.db.listCollections().toArray()) {
    const documents = await stack.mongo.db.collection(name).find().toArray();
    const theirs = documents.filter((document) => {
      const text = JSON.stringify(document);
      return words.some((word) =>
        /^\d+$/.test(word) ? new RegExp(`"(_id|event_id)":${word}\\b`).test(text) : text.includes(word),
      );
    });
    if (theirs.length > 0 && name !== REVOCATIONS) found[name] = theirs;
  }
  return found;
}

/** What the log keeps of an account: entries of operators, and where its chain is. A worker chains entries meanwhile. */
const LOGS = ['audit_erased', 'audit_heads', 'audit_log'];

/** Collections other than those of the log that hold one of the words. */
const tracesElsewhere = async (words: readonly string[]): Promise<string[]> =>
  Object.keys(await traces(words)).filter((name) => !LOGS.includes(name));

/** As if the suspension was long ago. */
const suspendLongAgo = async (accountId: string): Promise<void> => {
  await json('account', 'suspend', '--id', accountId);
  await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: accountId }, { $set: { suspended_at: new Date(0) } });
};

it('a deletion removes everything of an account but the audit entries of operators', async () => {
  const { accountId, api, words } = await buildFullAccount();
  const other = await signedUp(stack);
  const everywhere = [
    ...['accounts', 'api_keys', 'attempts', 'audit_log', 'endpoints', 'events', 'idempotency_keys', 'rates'],
    ...['reached_quotas', 'replays', 'sessions', 'setup_links', 'stored_bytes', 'usage', 'users'],
  ];
  await eventually(
    async () => Object.keys(await traces(words)),
    (before) => everywhere.every((name) => before.includes(name)),
  );

  await suspendLongAgo(accountId);
  expect(await json('account', 'delete', '--id', accountId)).toMatchObject({ id: accountId, status: 'deleted' });

  const { audit_log: log } = await traces(words);
  expect(await tracesElsewhere(words)).toEqual([]);
  const left = (log as { actor: { type: string }; action: string }[]).map(({ actor, action }) => [actor.type, action]);
  expect(left).toEqual(expect.arrayContaining([['cli', 'account.deleted']]));
  expect(new Set(left.map(([type]) => type))).toEqual(new Set(['cli']));
  expect(JSON.stringify(log)).not.toContain('@');
  await untilStatus(() => api.get('/api/v1/keys/self'), 401);
  expect((await other.browser.get('/me')).status).toBe(200);
  await expectRefused('account_not_found', 'account', 'delete', '--id', accountId);
});

it('a deletion knows every collection whose documents belong to accounts', async () => {
  const { accountId } = await signedUp(stack);
  const { db } = stack.mongo;
  const owned: string[] = [];
  for (const { name } of await db.listCollections().toArray()) {
    const indexes = await db.collection(name).indexes();
    // Of the audit log, entries of operators and digests stay.
    if (!LOGS.includes(name) && indexes.some(({ key }) => Object.keys(key)[0] === 'account_id')) owned.push(name);
  }
  expect(owned.length).toBeGreaterThan(5);
  const inDeletion = { account_id: accountId, of: 'the account that is deleted' };
  for (const name of owned) await db.collection(name).insertOne({ ...inDeletion });

  await suspendLongAgo(accountId);
  await json('account', 'delete', '--id', accountId);

  const kept = await Promise.all(owned.map((name) => db.collection(name).countDocuments(inDeletion)));
  expect(owned.filter((_, at) => kept[at]! > 0)).toEqual([]);
});

/** What deletes accounts, as in a worker. */
function deletionParts() {
  const { db } = stack.mongo;
  const replays = createReplayStore(db, stack.config.retentionMs);
  return {
    accounts: createAccountStore(db),
    suspensions: createSuspensionStore(db, replays),
    deletions: createDeletionStore(db),
    underWayMs: 60_000,
  };
}

it("a second deletion finishes one that died half-way, whose account can't be resumed", async () => {
  const { accountId, words } = await buildFullAccount();
  const parts = deletionParts();
  await beginDeletion(parts, accountId, BY);
  let steps = 0;
  const { deletions } = parts;
  const dying = {
    ...deletions,
    // One document of each kind, and then it is killed.
    removeSome: (id: string) => ((steps += 1) > 1 ? Promise.reject(new Error('killed')) : deletions.removeSome(id, 1)),
  };

  await expect(continueDeletion({ ...parts, deletions: dying }, accountId)).rejects.toThrow('killed');
  const listed = await json<{ id: string; status: string }[]>('account', 'list');
  expect(listed.find(({ id }) => id === accountId)?.status).toBe('deleting');
  await expectRefused('account_being_deleted', 'account', 'resume', '--id', accountId);

  await suspendLongAgo(accountId);
  await continueDeletion(parts, accountId);
  expect(await tracesElsewhere(words)).toEqual([]);
});

it('a deletion also removes what a request admitted before the suspension writes after it', async () => {
  const { accountId, words } = await buildFullAccount();
  const events = stack.mongo.db.collection<{ _id: number; account_id: string }>('events');
  const late = 987_654_321;
  const parts = deletionParts();
  await beginDeletion(parts, accountId, BY);

  const first = await continueDeletion(parts, accountId);
  expect(first.againInMs).toBeGreaterThan(0);
  await events.insertOne({ _id: late, account_id: accountId });
  await suspendLongAgo(accountId);
  expect(await continueDeletion(parts, accountId)).toMatchObject({ againInMs: 0 });

  expect(await events.countDocuments({ _id: late })).toBe(0);
  expect(await tracesElsewhere(words)).toEqual([]);
});

/** How many calls of an account MongoDB has; a process stores what it counted every two seconds. */
async function countedCalls(accountId: string): Promise<number> {
  const usage = stack.mongo.db.collection<{ calls: number }>('usage');
  return (await usage.find({ account_id: accountId }).toArray()).reduce((sum, { calls }) => sum + calls, 0);
}

it('an operator suspends, resumes and deletes an account in the dashboard; a worker finishes the deletion', async () => {
  const operator = await signedUp(stack);
  await stack.mongo.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: operator.userId }, { $set: { operator: true } });
  const { accountId, api, words } = await buildFullAccount();
  const { browser } = operator;
  const act = async (method: string, suffix: string, id = accountId) => {
    const { status, body } = await browser.call(method, `/dashboard/api/accounts/${id}${suffix}`);
    return [status, body.status ?? body.code];
  };

  expect(await act('POST', '/suspend')).toEqual([200, 'suspended']);
  expect((await api.get('/api/v1/keys/self')).status).toBe(403);
  expect(await act('POST', '/resume')).toEqual([200, 'active']);
  const counted = await countedCalls(accountId);
  expect((await api.get('/api/v1/keys/self')).status).toBe(200);
  await eventually(
    () => countedCalls(accountId),
    (count) => count > counted,
  );
  expect(await act('POST', '/suspend', operator.accountId)).toEqual([409, 'own_account']);
  expect(await act('DELETE', '', operator.accountId)).toEqual([409, 'own_account']);

  await suspendLongAgo(accountId);
  expect(await act('DELETE', '')).toEqual([202, 'deleting']);
  await eventually(
    () => act('POST', '/resume'),
    ([status]) => status === 404,
  );

  const { audit_log: log } = await traces(words);
  expect(await tracesElsewhere(words)).toEqual([]);
  const byOperator = (log as { actor: { id: string | null }; action: string }[]).filter(
    ({ actor }) => actor.id === operator.userId,
  );
  expect(new Set(byOperator.map(({ action }) => action))).toEqual(
    new Set(['account.suspended', 'account.resumed', 'account.deletion_started', 'account.deleted']),
  );
});
