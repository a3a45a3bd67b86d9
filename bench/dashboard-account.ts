import { createAccountStore } from '../src/accounts/account-store';
import type { AuditEntry } from '../src/accounts/audit-store';
import { setSearchFields } from '../src/accounts/set-search-fields';
import { actorOf, AUDIT_ACTIONS, BY_COMMAND_LINE } from '../src/domain/audit-actions';
import { createKeyStore } from '../src/keys/key-store';
import { createKey } from '../src/keys/manage-keys';
import { createUsageStore } from '../src/keys/usage-store';
import { systemClock } from '../src/platform/clock';
import { newId } from '../src/platform/ids';
import type { Mongo } from '../src/platform/mongo';
import { createAttemptCountStore, type CountAddition } from '../src/stores/attempt-count-store';
import { countOf, NO_ATTEMPTS, sumCounts } from '../src/domain/attempt-counts';
import { createEndpointHealthStore } from '../src/stores/endpoint-health-store';
import type { Endpoint } from '../src/stores/endpoint-store';
import { answerSeen } from '../src/domain/endpoint-health';
import { createReplayStore } from '../src/replays/replay-store';
import { createSessionStore } from '../src/users/session-store';
import { startSession } from '../src/users/start-session';
import { createUserStore, type User } from '../src/users/user-store';
import { EVENT_TYPES, SEARCH_FIELDS, storeMonth, type Destinations } from './dashboard-events';
import type { System, Tenant } from './system';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENDPOINTS = 50;
const KEYS = 20;
const AUDIT_ENTRIES = 50_000;
const REPLAYS = 200;
const BATCH = 2_000;
/** A session has a limit of calls a minute; the calls are spread over these. */
const SESSIONS = 40;

/** An account with a history, and people who look at it. */
export interface BusyAccount {
  readonly tenant: Tenant;
  /** Tokens for the cookie of a session. */
  readonly sessions: readonly string[];
}

/** Makes an account with 50 endpoints and a month of events, and signs people in. */
export async function buildBusyAccount(
  system: System,
  { events, say }: { readonly events: number; readonly say: (line: string) => void },
): Promise<BusyAccount> {
  const { mongo } = system;
  const tenant = await system.addTenant();
  const endpoints = mongo.db.collection<Endpoint>('endpoints');
  const { account_id: accountId, url } = (await endpoints.findOne({ _id: tenant.endpointId }))!;
  const ids = [tenant.endpointId];
  // The live events go to the first endpoint alone.
  const types = EVENT_TYPES.filter((type) => type !== 'order.created');
  for (let index = 1; index < ENDPOINTS; index += 1) {
    const description = `Endpoint ${index}`;
    ids.push(
      await addEndpoint(tenant, { url: `${url}/${index}`, description, events: [types[index % types.length]!] }),
    );
  }
  const to: Destinations = { ids, url, paused: ids[47]!, failing: new Set([ids[48]!, ids[49]!]) };
  await callApi(tenant, 'POST', `/api/v1/webhooks/endpoints/${to.paused}/pause`);
  const accounts = createAccountStore(mongo.db);
  await setSearchFields({ accounts }, { accountId, fields: SEARCH_FIELDS }, BY_COMMAND_LINE);
  const user = await addUser(mongo, accountId);
  const [replay] = await storeReplays(mongo, accountId, events / 50);
  say(`storing ${events} events`);
  await storeMonth({ db: mongo.db, accountId, count: events, to, replay: { id: replay!, events: events / 50 }, say });
  say('storing counts, usage and audit entries');
  await storeCounts(mongo, accountId, to, events);
  await storeKeysAndUsage(mongo, accountId);
  await storeAudit(mongo, user);
  const sessions = createSessionStore(mongo.db);
  const client = { address: '127.0.0.1', userAgent: 'benchmark' };
  const started = await Promise.all(Array.from({ length: SESSIONS }, () => startSession({ sessions }, user, client)));
  return { tenant, sessions: started.map(({ token }) => token) };
}

async function addEndpoint(tenant: Tenant, body: object): Promise<string> {
  return ((await callApi(tenant, 'POST', '/api/v1/webhooks/endpoints', body)) as { id: string }).id;
}

async function callApi({ url, key }: Tenant, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Nobody signs in with a password here. */
async function addUser({ db }: Mongo, accountId: string): Promise<User> {
  const user: User = {
    _id: newId('usr'),
    account_id: accountId,
    email: 'person@example.com',
    password_hash: 'none',
    role: 'owner',
    operator: true,
    created_at: new Date(),
  };
  await createUserStore(db).insert(user, BY_COMMAND_LINE);
  return user;
}

/** @returns the ids; the first is of the replay whose events are stored */
async function storeReplays({ db }: Mongo, accountId: string, replayed: number): Promise<string[]> {
  const store = createReplayStore(db, 30 * DAY_MS);
  const none = { endpoint_id: null, type: null, after: null, before: null };
  const ids: string[] = [];
  for (let index = 0; index < REPLAYS; index += 1) {
    const at = new Date(Date.now() - index * HOUR_MS);
    const id = newId('rpl');
    ids.push(id);
    const sent = index === 0 ? replayed : 0;
    await store.insert(
      {
        _id: id,
        account_id: accountId,
        filter: { ...none, state: 'failed', completed_after: null, completed_before: at },
        rate_per_second: 50,
        state: 'completed',
        created_at: at,
        finished_at: at,
        matched: sent,
        replayed: sent,
        skipped: 0,
        pages: Math.ceil(sent / 200),
        page: null,
        position: null,
        is_exhausted: true,
        claimed_by: null,
        due_at: null,
      },
      1,
    );
  }
  return ids;
}

/** Counts of answered attempts: by hour for 29 days, and by five minutes for the last day. */
async function storeCounts({ db }: Mongo, accountId: string, to: Destinations, events: number): Promise<void> {
  const store = createAttemptCountStore(db);
  const now = Date.now();
  const perHour = Math.ceil(events / (29 * 24) / to.ids.length);
  const additions = to.ids.flatMap((endpointId) => {
    const at = (ms: number, attempts: number): CountAddition => {
      const fails = to.failing.has(endpointId) && now - ms < 20 * HOUR_MS;
      const one = (number: number, succeeded: boolean) =>
        countOf({
          number,
          succeeded,
          errorCode: succeeded ? null : 'http_status',
          statusCode: succeeded ? 200 : 503,
          latencyMs: 20 + ((number * 37) % 180),
        });
      const counts = Array.from({ length: attempts }, (_, n) => one(n + 1, !fails && n % 30 !== 7));
      return { accountId, endpointId, at: new Date(ms), counts: counts.reduce(sumCounts, NO_ATTEMPTS) };
    };
    const hours = Array.from({ length: 28 * 24 }, (_, hour) => at(now - DAY_MS - hour * HOUR_MS, perHour));
    const spans = Array.from({ length: 12 * 24 }, (_, span) =>
      at(now - span * (HOUR_MS / 12), Math.ceil(perHour / 12)),
    );
    return [...hours, ...spans];
  });
  for (let from = 0; from < additions.length; from += BATCH) await store.add(additions.slice(from, from + BATCH));
  const cause = { code: 'http_status', statusCode: 503, text: 'The receiver answered with HTTP status 503.' } as const;
  await createEndpointHealthStore(db).note(
    to.ids.map((endpointId) => ({
      endpointId,
      accountId,
      seen: to.failing.has(endpointId)
        ? answerSeen(new Date(now - 20 * HOUR_MS), cause)
        : answerSeen(new Date(now - HOUR_MS), null),
    })),
  );
}

async function storeKeysAndUsage({ db }: Mongo, accountId: string): Promise<void> {
  const keys = createKeyStore(db);
  const deps = { keys, accounts: createAccountStore(db), clock: systemClock };
  const usage = createUsageStore(db);
  for (let index = 0; index < KEYS; index += 1) {
    const input = { accountId, product: 'weh', label: `Service ${index}` };
    const { record } = await createKey(deps, input, BY_COMMAND_LINE);
    const days = Array.from({ length: 400 }, (_, day) =>
      new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10),
    );
    const calls = { account_id: accountId, key_id: record._id, product: 'weh', calls: 1_000 } as const;
    await usage.add(days.map((day) => ({ ...calls, day, operation: 'estimateCost' })));
  }
}

/** Rare actions are as rare as in life: all but some are of two kinds. */
async function storeAudit({ db }: Mongo, user: User): Promise<void> {
  const audit = db.collection<AuditEntry>('audit_log');
  for (let from = 0; from < AUDIT_ENTRIES; from += BATCH) {
    const entries = Array.from({ length: BATCH }, (_, index): AuditEntry => {
      const n = from + index;
      const action =
        n % 500 === 0
          ? AUDIT_ACTIONS[(n / 500) % AUDIT_ACTIONS.length]!
          : n % 2
            ? 'secret.revealed'
            : 'session.started';
      return {
        _id: newId('aud'),
        at: new Date(Date.now() - n * 60_000),
        account_id: user.account_id,
        actor: actorOf(n % 500 === 0 ? { _id: newId('usr'), email: `rare${n}@example.com` } : user),
        action,
        object: user._id,
        address: '127.0.0.1',
      };
    });
    await audit.insertMany(entries, { ordered: false });
  }
}
