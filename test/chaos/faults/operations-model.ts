import { randomInt } from 'node:crypto';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import { brokenRules, type Call, type ShownDelivery } from '../model/delivery-rules';
import { writeScript, type EndpointStep, type Script } from '../model/script';
import type { Received } from '../receivers/receiver-log';
import type { Tenant, TenantEndpoint } from '../tenant';
import { inLanes, pass } from '../waiting';

/** Seconds before each attempt: short, so that every state is reached while steps come. */
const SCHEDULE_S = [0, 1, 1, 2, 2, 3];
const ENDPOINTS = 25;
/** This share of the requests gets a 503; a hash of event and count decides. */
const FAIL_SHARE = 0.45;
/**
 * Two processors can handle this many with all operations on them; with a hundred and fifty, deliveries wait for their
 * turn.
 */
const PER_SECOND = { quick: 60, full: 12 };
/** An event to a deleted endpoint makes no delivery, so this many more events are available. */
const SPARE_EVENTS = 1.5;
const SETTLE_MS = { quick: 120_000, full: 300_000 };
const LANES = 8;

export const operationsModel: Fault = {
  name: 'operations-model',
  title: 'cancel, retryNow, pause, delete, PATCH and replay at random moments; full: of 10,000 deliveries',
  criterion: "the state machine's rules hold for each delivery (test/chaos/model)",
  ways: quickIn('express'),
  async run(testbed, counts) {
    const checks = createChecks();
    const seed = randomInt(1, 2 ** 31);
    checks.figure('seed', seed);
    const wanted = counts.modelDeliveries;
    const script = writeScript(seed, Math.ceil(wanted * SPARE_EVENTS), ENDPOINTS);
    const behaviours = script.endpoints.map(() => ({ failShare: FAIL_SHARE, delayMs: 20 }));
    const tenant = await testbed.open('operations-model', {
      endpoints: behaviours,
      ownTypes: true,
      retrySchedule: SCHEDULE_S,
    });
    const stories = await perform(tenant, script, wanted, PER_SECOND[counts.profile]);
    const settleMs = SETTLE_MS[counts.profile];
    const finals = await settle(tenant, stories.ids, settleMs);
    judge(checks, tenant, stories, finals, settleMs);
    checks.hold(finals.size >= wanted, `${finals.size} deliveries were judged instead of ${wanted}`);
    return checks.outcome();
  },
};

interface Performed {
  /** Event ids, by the delivery's place in the script. */
  readonly ids: readonly (number | undefined)[];
  readonly calls: readonly (readonly Call[])[];
  readonly endpointCalls: readonly (readonly Call[])[];
}

const endpointOf = (tenant: Tenant, index: number): TenantEndpoint => tenant.endpoints[index % ENDPOINTS]!;

/** Ingests at a steady pace until there are as many deliveries as wanted, and applies the script to each. */
async function perform(tenant: Tenant, script: Script, wanted: number, perSecond: number): Promise<Performed> {
  const ids: (number | undefined)[] = [];
  /** The number of deliveries, including those requested and not answered yet. */
  let made = 0;
  let asked = 0;
  const calls: Call[][] = script.deliveries.map(() => []);
  const endpointCalls: Call[][] = script.endpoints.map(() => []);
  const totalMs = (wanted / perSecond) * 1_000 + 10_000;
  const startedAt = Date.now();
  const until = (at: number): Promise<void> => pass(Math.max(0, startedAt + at - Date.now()));

  const playEndpoint = async (steps: readonly EndpointStep[], index: number): Promise<void> => {
    const endpoint = tenant.endpoints[index]!;
    for (const step of steps) {
      await until(step.at * totalMs);
      endpointCalls[index]!.push(await changeEndpoint(tenant, endpoint, step.what, endpointCalls[index]!.length));
    }
  };
  const playDelivery = async (index: number): Promise<void> => {
    const type = `model.${index % ENDPOINTS}`;
    asked += 1;
    // A repeated call must not make a second event: the judge knows an event's requests by its serial.
    const event = { type, data: { serial: index }, idempotency_key: `${tenant.name}-${index}` };
    const { status, body } = await tenant.api.insist('POST', '/events', event);
    if ((status !== 202 && status !== 200) || body.deliveries !== 1) return void (asked -= 1);
    ids[index] = body.id as number;
    made += 1;
    const acknowledgedAt = Date.now();
    const delivery = `${body.id}.${endpointOf(tenant, index).id}`;
    for (const { atMs, what } of [...script.deliveries[index]!].sort((a, b) => a.atMs - b.atMs)) {
      await pass(Math.max(0, acknowledgedAt + atMs - Date.now()));
      calls[index]!.push(await callApi(tenant, what, 'POST', `/deliveries/${delivery}/${what}`));
    }
  };
  const playDeliveries = async (): Promise<void> => {
    const playing: Promise<void>[] = [];
    let isFailed = false;
    while (!isFailed && made < wanted && playing.length < script.deliveries.length) {
      await until((playing.length / perSecond) * 1_000);
      if (asked === wanted) {
        // Perhaps all are there, perhaps an event finds its endpoint deleted and another is needed.
        await pass(50);
        continue;
      }
      const delivery = playDelivery(playing.length);
      delivery.catch(() => (isFailed = true));
      playing.push(delivery);
    }
    await Promise.all(playing);
  };
  await Promise.all([...script.endpoints.map(playEndpoint), playDeliveries()]);
  return { ids, calls, endpointCalls };
}

async function callApi(
  tenant: Tenant,
  what: Call['what'],
  method: string,
  path: string,
  body?: unknown,
): Promise<Call> {
  const from = Date.now();
  const answer = await tenant.api.call(method, path, body);
  return { what, from, to: Date.now(), status: answer.status, code: answer.body?.code };
}

async function changeEndpoint(
  tenant: Tenant,
  endpoint: TenantEndpoint,
  what: EndpointStep['what'],
  number: number,
): Promise<Call> {
  const own = `/endpoints/${endpoint.id}`;
  if (what === 'delete') return callApi(tenant, what, 'DELETE', own);
  if (what !== 'move') return callApi(tenant, what, 'POST', `${own}/${what}`);
  const place = await endpoint.place(`moved-${number}`, { failShare: FAIL_SHARE, delayMs: 20 });
  return { ...(await callApi(tenant, what, 'PATCH', own, { url: place.url })), path: place.path };
}

/** Ends every pause, and waits until each delivery is finished and its history whole. */
async function settle(tenant: Tenant, ids: Performed['ids'], timeoutMs: number): Promise<Map<number, ShownDelivery>> {
  for (const { id } of tenant.endpoints) await tenant.api.call('POST', `/endpoints/${id}/resume`);
  const finals = new Map<number, ShownDelivery>();
  const giveUpAt = Date.now() + timeoutMs;
  let open = [...ids.keys()].filter((index) => ids[index] !== undefined);
  while (open.length > 0 && Date.now() < giveUpAt) {
    await inLanes(open, LANES, async (index) => {
      const id = `${ids[index]}.${endpointOf(tenant, index).id}`;
      const { status, body } = await tenant.api.call('GET', `/deliveries/${id}`);
      if (status === 200 && isFinal(body)) finals.set(index, body);
    });
    open = open.filter((index) => !finals.has(index));
    if (open.length > 0) await pass(1_000);
  }
  return finals;
}

function isFinal({ state, attempts, attempt_count: count, run }: ShownDelivery): boolean {
  const whole = attempts.filter((attempt) => attempt.run === run).length === count;
  return ['delivered', 'failed', 'cancelled'].includes(state) && whole;
}

function judge(
  checks: Checks,
  tenant: Tenant,
  performed: Performed,
  finals: Map<number, ShownDelivery>,
  waitedMs: number,
): void {
  const requests = new Map<number, Received[]>();
  for (const request of tenant.received().sort((a, b) => a.at - b.at)) {
    requests.set(request.serial, [...(requests.get(request.serial) ?? []), request]);
  }
  const broken: string[] = [];
  for (const [index, delivery] of finals) {
    const story = {
      delivery,
      calls: performed.calls[index]!,
      endpointCalls: performed.endpointCalls[index % ENDPOINTS]!,
      requests: requests.get(index) ?? [],
      firstPath: endpointOf(tenant, index).path,
      schedule: SCHEDULE_S.map((seconds) => seconds * 1_000),
    };
    broken.push(...brokenRules(story).map((sentence) => `delivery ${delivery.id}: ${sentence}`));
  }
  const known = performed.ids.filter((id) => id !== undefined).length;
  checks.figure('deliveries', finals.size);
  checks.figure(
    'requests',
    [...requests.values()].reduce((sum, all) => sum + all.length, 0),
  );
  for (const [state, count] of countBy([...finals.values()], (it) => it.state)) checks.figure(state, count);
  const made = [...performed.calls.flat(), ...performed.endpointCalls.flat()];
  const answers = countBy(made, ({ what, status }) => `${what} ${status}`);
  checks.figure('calls', [...answers].map(([answer, count]) => `${answer} × ${count}`).join(', '));
  checks.hold(finals.size === known, `${known - finals.size} deliveries are not finished after ${waitedMs / 1_000} s`);
  checks.figure('rules broken', broken.length);
  for (const sentence of broken.slice(0, 10)) checks.hold(false, sentence);
}

function countBy<T>(items: readonly T[], key: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}
