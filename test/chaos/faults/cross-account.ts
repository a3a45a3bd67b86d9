import { percentile, rounded } from '../../../bench/statistics';
import { createApi, type Answer, type Api } from '../api';
import { alwaysIn, createChecks, type Fault } from '../fault';
import { registerAccount, type Tenant } from '../tenant';
import { within } from '../waiting';

/** Timing is compared with this many calls of each kind, one of each in turn; the fastest quarter counts. */
const ROUNDS = 15;
/** An additional look-up takes milliseconds here; a smaller difference reveals nothing. */
const SAME_CLASS_MS = 10;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export const crossAccount: Fault = {
  name: 'cross-account',
  title: "every operation of the OpenAPI document with another account's ids",
  criterion: 'always 404, with the body and the timing class of an id that does not exist',
  ways: alwaysIn('workflow'),
  async run(testbed) {
    const checks = createChecks();
    const owner = await testbed.open('cross-account', { endpoints: [{}] });
    const stranger = createApi(testbed.cluster.urls, (await registerAccount(testbed.cluster, 'chaos')).key);
    const ids = await makeOne(owner);
    const operations = await operationsWithIds(stranger);
    checks.figure('operations', operations.length);
    checks.hold(operations.length > 0, 'the OpenAPI document has no operation with an id');
    const gapsMs: number[] = [];
    for (const { method, path, body } of operations) {
      const name = `${method} ${path}`;
      const real = fillIn(path, ids);
      const made = fillIn(path, UNKNOWN);
      if (real === undefined || made === undefined) {
        checks.hold(false, `${name} has an id that this row does not know`);
        continue;
      }
      const times: { foreign: number[]; unknown: number[] } = { foreign: [], unknown: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        const foreign = await timedCall(stranger, method, real, body);
        const unknown = await timedCall(stranger, method, made, body);
        times.foreign.push(foreign.tookMs);
        times.unknown.push(unknown.tookMs);
        checks.hold(foreign.answer.status === 404, `${name} answered ${foreign.answer.status} to a stranger`);
        const same = anonymous(foreign.answer, real) === anonymous(unknown.answer, made);
        checks.hold(same, `${name} tells a foreign id from an unknown one`);
        if (foreign.answer.status !== 404 || !same) break;
      }
      gapsMs.push(Math.abs(percentile(times.foreign, 0.25) - percentile(times.unknown, 0.25)));
    }
    const unharmed = await owner.api.insist('GET', `/endpoints/${ids['endpoint']}`);
    checks.hold(unharmed.status === 200 || unharmed.status === 404, `the owner's endpoint answers ${unharmed.status}`);
    const owned = await owner.api.insist('GET', '/endpoints');
    checks.hold(owned.body?.endpoints?.length === 1, "the owner's endpoint is gone");
    checks.figure('calls', operations.length * ROUNDS * 2);
    checks.figure('largest difference of lower quartiles ms', rounded(Math.max(0, ...gapsMs)));
    checks.hold(Math.max(0, ...gapsMs) < SAME_CLASS_MS, 'a foreign id takes another time than an unknown one');
    return checks.outcome();
  },
};

/** Ids that don't exist. */
const UNKNOWN: Ids = {
  event: '900000000000',
  endpoint: `ep_${'a'.repeat(26)}`,
  delivery: `900000000000.ep_${'a'.repeat(26)}`,
  replay: `rpl_${'a'.repeat(26)}`,
  rehearsal: `rhs_${'a'.repeat(26)}`,
  erasure: `ers_${'a'.repeat(26)}`,
};

type Ids = Readonly<Record<'event' | 'endpoint' | 'delivery' | 'replay' | 'rehearsal' | 'erasure', string>>;

/** One of everything that has an id. */
async function makeOne({ api, endpoints }: Tenant): Promise<Ids> {
  const [{ id: endpoint }] = endpoints as unknown as [{ id: string }];
  const ingested = await api.insist('POST', '/events', { type: 'order.created', data: { serial: 1 } });
  const event = String(ingested.body.id);
  await within(60_000, async () => (await api.call('GET', `/events/${event}`)).body?.status === 'delivered');
  const job = await api.insist('POST', '/replays', { filter: { endpoint_id: endpoint } });
  const rehearsal = await api.insist('POST', '/rehearsals', { change: { endpoint: { id: endpoint } } });
  return {
    event,
    endpoint,
    delivery: `${event}.${endpoint}`,
    replay: job.body?.job_id ?? job.body?.id ?? UNKNOWN.replay,
    rehearsal: rehearsal.body?.id ?? UNKNOWN.rehearsal,
    // Only management keys make one.
    erasure: UNKNOWN.erasure,
  };
}

async function operationsWithIds(api: Api): Promise<Operation[]> {
  const { body: document } = await api.insist('GET', '//openapi.json');
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, OperationObject>>)) {
    // The name of an event type is no id: the catalog is the same for every account.
    if (!/\{\w+_id\}/.test(path)) continue;
    for (const [method, operation] of Object.entries(methods)) {
      if (!['get', 'post', 'put', 'patch', 'delete'].includes(method) || !takesProductKey(operation)) continue;
      operations.push({ method: method.toUpperCase(), path, body: exampleOf(operation) });
    }
  }
  return operations;
}

/**
 * Whether a product key calls this operation. Those of the installation refuse it before they read an id;
 * `test/api/caller-matrix.test.ts` holds that.
 */
const takesProductKey = ({ security }: OperationObject) => security?.some((way) => 'apiKey' in way) ?? false;

interface OperationObject {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly example?: unknown; readonly examples?: Readonly<Record<string, { value: unknown }>> }>
    >;
  };
}

/** A body that the operation takes, so that nothing but the id can be wrong. */
function exampleOf({ requestBody }: OperationObject): unknown {
  const content = requestBody?.content['application/json'];
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}

/** Puts ids in for the path's parameters. @returns undefined for a parameter of a kind that is not known */
function fillIn(path: string, ids: Ids): string | undefined {
  const [, noun] = /\/(endpoints|events|deliveries|replays|rehearsals|erasures)\/\{/.exec(path) ?? [];
  const byNoun: Record<string, string> = {
    ...{ endpoints: ids.endpoint, events: ids.event, deliveries: ids.delivery },
    ...{ replays: ids.replay, rehearsals: ids.rehearsal, erasures: ids.erasure },
  };
  const id = byNoun[noun ?? ''];
  return id === undefined ? undefined : path.replace(/\{[^}]+\}/, id);
}

async function timedCall(api: Api, method: string, path: string, body: unknown) {
  const started = performance.now();
  const answer = await api.call(method, path, body);
  return { answer, tookMs: performance.now() - started };
}

/** The answer without what differs from call to call. */
function anonymous({ status, text }: Answer, path: string): string {
  const id = path.split('/').find((part) => /^(ep_|rpl_|\d)/.test(part)) ?? '';
  return `${status} ${text.replace(/"request_id":"[^"]*"/, '').replaceAll(id, '<id>')}`;
}
