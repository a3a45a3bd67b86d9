import { residentMb, rounded } from '../../../bench/statistics';
import { type Answer, type Api, createApi } from '../api';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import type { Tenant } from '../tenant';
import type { Testbed } from '../testbed';
import { inLanes, within } from '../waiting';

/** While the majority is stalled. The one before warms the process up, and is delivered by then. */
const BURSTS = { quick: 6, full: 12 };
/** The promise, and a bound of the server's own histogram. */
const MAX_S = 3;
/** Of the second half over the peak of the first half. */
const MAX_GROWTH = 1.2;
const ROUTE = '/api/v1/webhooks/events';
/** Of the client, on a machine with much to do. */
const PATIENCE_MS = 60_000;
const ARRIVE_MS = 120_000;

export const majorityStalled: Fault = {
  name: 'majority-stalled',
  title: `MongoDB's secondaries fetch nothing more, so that no majority confirms anything, and one API gets 100 (full: 2,000) ingests at once, ${BURSTS.quick} (full: ${BURSTS.full}) times`,
  criterion: `each is answered within ${MAX_S} s of when the server read it, by its own histogram (quick: on average, beyond twice what the same calls took before); RSS flat; what is told "nothing was accepted" is never there, the rest is told to be unknown, and a repeat of its key is one event; afterwards ingest goes on`,
  ways: quickIn('workflow'),
  nightly: 'test/breakage/majority stalls the majority of three mongods',
  async run(testbed, { profile, stalledIngests }) {
    const checks = createChecks();
    const tenant = await testbed.open('majority-stalled', { endpoints: [{ delayMs: 0 }] });
    const [stalled] = testbed.cluster.apis;
    const api = createApi(testbed.cluster.urls.slice(0, 1), tenant.key, PATIENCE_MS);
    let serial = 0;
    const burst = () => Promise.all(Array.from({ length: stalledIngests }, () => post(api, (serial += 1))));
    const start = await ingestsOf(stalled.metricsUrl());
    const before = await burst();
    const accepted = before.filter(({ status }) => status === 202).length;
    // Their deliveries are no part of what is judged, and would take both cores for as long as they are under way.
    const isIdle = await within(ARRIVE_MS, () => tenant.received().length >= accepted, 500);
    checks.hold(isIdle, 'the deliveries of the burst before did not arrive');
    const healthy = since(start, await ingestsOf(stalled.metricsUrl()));
    const residents = [residentMb(stalled.pid())];
    const stall = await ingestsOf(stalled.metricsUrl());
    const during: Answer[] = [];
    const resume = await testbed.cluster.replicaSet.haltSecondaries();
    try {
      for (let count = 0; count < BURSTS[profile]; count += 1) {
        during.push(...(await burst()));
        residents.push(residentMb(stalled.pid()));
      }
    } finally {
      await resume();
    }
    const slow = since(stall, await ingestsOf(stalled.metricsUrl()));

    checks.figure('accepted before', accepted);
    holdAnswers(checks, during);
    checks.figure('average before s', rounded(healthy.seconds / healthy.all));
    checks.figure('average meanwhile s', rounded(slow.seconds / slow.all));
    checks.figure(`answers within ${MAX_S} s`, `${slow.inTime} of ${slow.all}`);
    checks.hold(slow.all === during.length, 'the server did not answer every call');
    const isInTime =
      profile === 'full'
        ? slow.inTime === slow.all
        : slow.seconds / slow.all <= MAX_S + (2 * healthy.seconds) / healthy.all;
    checks.hold(isInTime, `${slow.all - slow.inTime} of ${slow.all} calls waited longer than ${MAX_S} s`);
    checks.figure('RSS after each MB', residents.map(Math.round).join(', '));
    checks.hold(isFlat(profile, residents), `memory grew: ${residents.join(', ')} MB`);
    const isBack = await within(60_000, async () => (await post(api, (serial += 1))).status === 202, 500);
    checks.hold(isBack, 'nothing was accepted in the minute after');
    await holdTruth(checks, testbed, tenant, [...before, ...during]);
    return checks.outcome();
  },
};

/**
 * Each burst of 2,000 leaves 60 MB of garbage, which Node collects after five to eight bursts, so in `full` the peaks
 * depend on when it does: there the lowest of the second half counts. Memory that stayed would add 360 MB to it.
 */
function isFlat(profile: keyof typeof BURSTS, residents: readonly number[]): boolean {
  const half = 1 + BURSTS[profile] / 2;
  const [first, second] = [residents.slice(0, half), residents.slice(half)];
  const peak = Math.max(...first);
  const later = profile === 'full' ? Math.min(...second) : Math.max(...second);
  return later <= peak * MAX_GROWTH;
}

/** Every second one has a key. */
function post(api: Api, serial: number): Promise<Answer> {
  const key = serial % 2 === 0 && { idempotency_key: `stalled-${serial}` };
  return api.call('POST', '/events', { type: `stalled.${serial}`, data: { serial }, ...key });
}

/** Ingests that a process has answered. */
interface Ingests {
  readonly all: number;
  /** Within `MAX_S`. */
  readonly inTime: number;
  /** Taken by all of them together. */
  readonly seconds: number;
}

async function ingestsOf(metricsUrl: string): Promise<Ingests> {
  const lines = (await (await fetch(metricsUrl)).text())
    .split('\n')
    .filter((line) => line.includes(`route="${ROUTE}"`));
  const sum = (suffix: string, label = ''): number =>
    lines
      .filter((line) => line.startsWith(`http_server_request_duration_seconds_${suffix}{`))
      .filter((line) => line.includes('method="POST"') && line.includes(label))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  return { all: sum('count'), inTime: sum('bucket', `le="${MAX_S}"`), seconds: sum('sum') };
}

function since(from: Ingests, to: Ingests): Ingests {
  return { all: to.all - from.all, inTime: to.inTime - from.inTime, seconds: to.seconds - from.seconds };
}

/** Not accepted, or unknown: the last one also where the limiter waited in vain. */
const POSSIBLE = ['503 ingest_busy', '503 outcome_unknown', '503 service_unavailable'];

function holdAnswers(checks: Checks, answers: readonly Answer[]): void {
  const told = answers.map(({ status, body }) => `${status} ${body?.code}`);
  for (const kind of new Set(told)) checks.figure(kind, told.filter((it) => it === kind).length);
  const others = [...new Set(told)].filter((it) => !POSSIBLE.includes(it));
  checks.hold(others.length === 0, `there were other answers: ${others.join(', ')}`);
}

/** What was refused is nowhere; of what was unknown, the same key finds or makes one event. */
async function holdTruth(checks: Checks, testbed: Testbed, tenant: Tenant, answers: readonly Answer[]): Promise<void> {
  const serialsOf = (code: string) => answers.flatMap(({ body }, index) => (body?.code === code ? [index + 1] : []));
  const refused = serialsOf('ingest_busy');
  const unknown = [...serialsOf('outcome_unknown'), ...serialsOf('service_unavailable')];
  const keyed = unknown.filter((serial) => serial % 2 === 0);
  const again = createApi(testbed.cluster.urls, tenant.key);
  const repeated = await inLanes(keyed, 20, (serial) =>
    again.insist('POST', '/events', {
      type: `stalled.${serial}`,
      data: { serial },
      idempotency_key: `stalled-${serial}`,
    }),
  );
  const created = repeated.filter(({ status }) => status === 202 || status === 200).length;
  checks.hold(created === keyed.length, `${keyed.length - created} repeats were not acknowledged`);
  const idsOf = new Map<number, Set<number>>();
  const note = (serial: number, id: number) => idsOf.set(serial, (idsOf.get(serial) ?? new Set()).add(id));
  const accepted = await acceptedEvents(tenant);
  for (const { id, serial } of accepted) note(serial, id);
  const came = await within(ARRIVE_MS, () => {
    const arrived = new Set(tenant.received().map(({ id }) => id));
    return accepted.every(({ id }) => arrived.has(id));
  });
  for (const { id, serial } of tenant.received()) note(serial, id);
  checks.figure('events afterwards', accepted.length);
  checks.hold(came, 'not every accepted event was delivered');
  const told = refused.filter((serial) => idsOf.has(serial));
  checks.hold(told.length === 0, `${told.length} events are there that were told not to be accepted`);
  const doubled = keyed.filter((serial) => idsOf.get(serial)?.size !== 1);
  checks.hold(doubled.length === 0, `not one event for one key: serials ${doubled.slice(0, 5).join(', ')}`);
}

/** All events of the tenant, as the public API lists them. */
async function acceptedEvents({ api }: Tenant): Promise<{ readonly id: number; readonly serial: number }[]> {
  const found: { id: number; serial: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: Answer = await api.insist('GET', `/events?limit=100${cursor && `&cursor=${cursor}`}`);
    const page = body as { events: { id: number; type: string }[]; next_cursor: string | null };
    found.push(...page.events.map(({ id, type }) => ({ id, serial: Number(type.split('.')[1]) })));
    cursor = page.next_cursor;
  }
  return found;
}
