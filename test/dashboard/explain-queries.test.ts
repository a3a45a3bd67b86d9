import { describeOperations } from '../../src/operations';
import type { Route } from '../../src/http/route';
import { MAX_COUNTED, TYPE_EVENTS } from '../../src/dashboard-api/overview-store';
import { watchReads, type Read } from '../support/watch-reads';
import { signedUp, useDashboardStack, type Browser } from './browser';
import { fillAccount, type AccountIds } from './fill-account';

/** Every operation that a page may ask for data, as it is served; the handlers are never called here. */
const GETS = describeOperations().dashboard.session.operations.filter(
  ({ id, method }) => method === 'get' && id !== 'followChanges',
);

const stack = useDashboardStack({ role: 'api' });
const EVENTS = 3_000;
const OTHERS_EVENTS = 1_000;
/** A page of a list. */
const PAGE = 100;
const NOW = Math.floor(Date.now() / 1_000);

let browser: Browser;
let ids: AccountIds;

beforeAll(async () => {
  await fillAccount(stack, await signedUp(stack), { events: OTHERS_EVENTS, firstId: 1_000_000 });
  const person = await signedUp(stack);
  ids = await fillAccount(stack, person, { events: EVENTS, firstId: 2_000_000 });
  browser = person.browser;
  await stack.mongo.db.collection<{ _id: string }>('accounts').insertMany(
    Array.from({ length: 300 }, (_, n) => ({
      ...{ _id: `acc_${n}`, external_id: `cus_${n}`, name: `Acme ${n}`, email: `${n}@acme.example`, tier: 'free' },
      ...{ endpoints_version: 0, created_at: new Date(n), ...(n % 2 && { suspended_at: new Date() }) },
    })),
  );
  await stack.mongo.db.collection<{ _id: string }>('event_types').insertMany(
    Array.from({ length: 300 }, (_, n) => ({
      ...{ _id: `kind_${n}.made`, group: n % 50 ? 'Others' : 'Orders', archived: n % 3 === 1, deprecated: false },
      ...{ version: 1, revision: n, created_at: new Date(n), updated_at: new Date(n) },
    })),
  );
});

const AN_HOUR_AGO = new Date((NOW - 3_600) * 1_000).toISOString();
const TIMES = `after=${new Date((NOW - 40_000) * 1_000).toISOString()}&before=${AN_HOUR_AGO}`;

const AUDIT_FILTERS = [
  '',
  'action=endpoint.created',
  'actor=usr_rare',
  'actor=rare@example.com',
  'object=ep_rare',
  'account_id={accountId}',
  TIMES,
];

const REPORTS = ['by=endpoint', 'by=type', 'by=key', 'by=day', 'month=2026-10'];

/**
 * What pages ask an operation for; `{name}` is an id of `fill`. Every query parameter of every operation must appear.
 * An operation that is not named is called without a query.
 */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  getReplayOutcomes: ['job_ids={jobId}'],
  getEndpointStats: ['window=24h', 'window=7d'],
  getEndpointHealth: ['window=24h', 'window=30d', 'window=30d&days_in=UTC'],
  getHealth: ['window=1h', 'window=24h', 'window=30d', 'window=30d&days_in=UTC'],
  getUsage: ['days=30', 'days=400'],
  getDeliveryReport: REPORTS,
  exportDeliveryReport: REPORTS,
  listEndpoints: ['limit=5'],
  listEndpointAttempts: [
    'limit=5',
    'outcome=failed',
    'error_code=http_status',
    'error_code=http_status&status_code=503',
    TIMES,
  ],
  listReplays: ['limit=5'],
  listErasures: ['limit=5'],
  listWebhookEventTypes: ['limit=5', 'group=Orders'],
  listAccounts: [
    'limit=5',
    'status=active',
    'status=suspended',
    'q=cus_7',
    'q=acme',
    'q=acme&status=suspended',
    'q=7@acme.example',
    'q={accountId}',
  ],
  listEvents: [
    `limit=${PAGE}`,
    ...['no_destinations', 'pending', 'retrying', 'delivered', 'failed', 'partially_failed', 'cancelled'].map(
      (status) => `status=${status}`,
    ),
    'type=kind_3.made',
    'type=kind_3.*',
    'type=kind_3.made&status=failed',
    'data=customer_id:cus_7',
    'idempotency_key=key_77',
    'idempotency_key=no_such_key',
    TIMES,
    `${TIMES}&status=failed`,
  ],
  listDeliveries: [
    `limit=${PAGE}`,
    ...['pending', 'retrying', 'delivered', 'failed', 'cancelled', 'open'].map((state) => `state=${state}`),
    'endpoint_id={endpointId}',
    'endpoint_id={endpointId}&state=failed',
    'event_id={eventId}',
    'replay_id={jobId}',
    'replay_id={jobId}&state=failed',
    'type=kind_3.made',
    'type=kind_3.made&state=failed&endpoint_id={endpointId}',
    TIMES,
  ],
  previewReplay: [
    'state=failed',
    'state=failed&endpoint_id={endpointId}',
    `type=kind_3.made&${TIMES}`,
    `completed_after=${AN_HOUR_AGO}&completed_before=${new Date().toISOString()}`,
  ],
  listAudit: AUDIT_FILTERS,
  exportAudit: AUDIT_FILTERS,
  search: ['{eventId}', 'key_77', 'cus_7', 'customer_id = cus_7', 'kind_3.*', 'example.com/3', 'nothing'].map(
    (text) => `q=${text}`,
  ),
};

/** Lists look at so many events at most when no index answers all of a filter. MongoDB reads some hundred at a time. */
const LOOKED_AT = 5_000;
/** What sums up, or has a filter that no index answers: the most documents that one query reads. */
const BOUNDED: readonly (readonly [call: RegExp, most: number])[] = [
  [/^(getOverview|getReplayOutcomes|listEndpointWaiting)\?/, MAX_COUNTED],
  [/^listSeenTypes\?/, TYPE_EVENTS],
  [/^(getEndpointStats|countWaiting)\?/, 10_001],
  [/^previewReplay\?/, LOOKED_AT + 2],
  [/^listEvents\?.*(status=|type=.*\.\*)/, LOOKED_AT],
  [/^listDeliveries\?type=.*&state=/, LOOKED_AT],
];

/** Everything else reads what it shows, a little to skip, and what a choice between two indexes costs. */
function mostOf(call: string, { command, returned }: Read): number {
  const bound = BOUNDED.find(([pattern]) => pattern.test(call));
  return bound ? bound[1] : 20 + 3 * Math.max(returned, Number(command['limit'] ?? 0));
}

const named = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);

function pathOf({ path }: Route, query: string): string {
  const params = path.replaceAll(/\{(\w+)_id\}/g, (_, noun: string) => pathId(noun)).replace('{name}', 'kind_3.made');
  return `${params.replace('/api/v1/', '/dashboard/api/')}?${encodeURI(named(query))}`;
}

function pathId(noun: string): string {
  if (noun === 'delivery') return `${ids['eventId']}.${ids['endpointId']}`;
  const id = ids[`${noun}Id`];
  if (id === undefined) throw new Error(`say in "fill" what ${noun}_id is`);
  return id;
}

/** The queries of a call, and of the call for the next page. */
async function readsOf(path: string): Promise<Read[]> {
  let next: string | null | undefined;
  const call = async (address: string) => {
    const answer = await browser.call('GET', address);
    expect([address, answer.status]).toEqual([address, 200]);
    next = (answer.body as { next_cursor?: string | null } | undefined)?.next_cursor;
  };
  const first = await watchReads(stack.mongo, () => call(path));
  const cursor = next;
  if (!cursor) return first;
  return [...first, ...(await watchReads(stack.mongo, () => call(`${path}&cursor=${encodeURIComponent(cursor)}`)))];
}

it('a query without an index is noticed, and so is a sort in memory', async () => {
  const events = stack.mongo.db.collection('events');
  const reads = await watchReads(stack.mongo, () =>
    events
      .find({ payload_hash: { $exists: false } })
      .sort({ payload_hash: 1 })
      .toArray(),
  );
  // The process polls other collections meanwhile.
  expect(reads.find(({ isScan }) => isScan)).toMatchObject({
    collection: 'events',
    documents: EVENTS + OTHERS_EVENTS,
    sorted: EVENTS + OTHERS_EVENTS,
  });
});

it('every filter of every list is tried', () => {
  const missing = GETS.flatMap(({ id, query }) =>
    Object.keys(query?.shape ?? {})
      .filter((name) => name !== 'limit' && name !== 'cursor')
      .filter((name) => !(QUERIES[id] ?? []).some((text) => new URLSearchParams(text).has(name)))
      .map((name) => `${id}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it.each(GETS.map((operation) => [operation.id, operation] as const))(
  '%s has an index for every query, sorts at most a page in memory, and reads what it shows',
  async (id, operation) => {
    const problems: string[] = [];
    for (const query of QUERIES[id] ?? ['']) {
      const reads = await readsOf(pathOf(operation, query));
      expect(reads.length).toBeGreaterThan(0);
      for (const read of reads) {
        const call = `${id}?${query}`;
        const told = `${call} ${read.collection} ${JSON.stringify(read.command).slice(0, 400)}`;
        if (read.isScan) problems.push(`reads a whole collection: ${told}`);
        if (read.sorted > PAGE) problems.push(`sorts ${read.sorted} in memory: ${told}`);
        if (read.documents > mostOf(call, read))
          problems.push(`reads ${read.documents} to return ${read.returned}: ${told}`);
      }
    }
    expect(problems).toEqual([]);
  },
);
