import { join } from 'node:path';
import { percentile, residentMb, rounded } from '../../../bench/statistics';
import { buildAuthority, buildServerCertificate } from '../../sender/certificates';
import { createApi, type Api } from '../api';
import { startChild, type Child } from '../cluster/child';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import { HOSTILE_HOST, type HostileKind, type HostileReport } from '../receivers/hostile';
import { registerAccount, type Tenant } from '../tenant';
import type { Testbed } from '../testbed';
import { inLanes, pass, within } from '../waiting';

/** Destinations of each kind: the ones that hang hold 16 requests each, in each worker. */
const EACH = 5;
/**
 * Two processors can handle this many, each with a TLS handshake, and the healthy ones beside them. At 18 a second, the
 * receivers that answer used nine tenths of them, and all deliveries waited for the processors, which says nothing
 * about receivers.
 */
const DELIVERIES_PER_SECOND = 12;
const HEALTHY_EVENTS_PER_SECOND = 2;
/** For this long, as many deliveries go to receivers that answer, for comparison. */
const COMPARISON_MS = { quick: 5_000, full: 180_000 };
/** Each minute has its own p99, and their median counts: one pause of the machine is not the receivers' fault. */
const WINDOW_MS = 60_000;
/** What an attempt may take beyond the time-out. */
const MAX_BEYOND_MS = 1_000;
/** Beyond what a process takes that has just begun to work. */
const MAX_GROWTH = 1.2;
const WARM_UP_MB = 64;
/**
 * A doubling below this is caused by the machine, not by the receivers. `quick` has few deliveries, and a machine that
 * builds at the same time: it only shows whether deliveries wait for the timeouts of hanging receivers.
 */
const UNNOTICED_MS = { quick: 5_000, full: 50 };

export const hostileReceivers: Fault = {
  name: 'hostile-receivers',
  title:
    'receivers that hang, drip bytes, send endless headers or bodies, reset, send garbage, wrong or expired TLS, huge headers, redirect loops, 1xx floods, compression bombs; full: 1,000 attempts each',
  criterion: `each attempt ≤ 31 s (quick: 11); RSS flat; healthy receivers' p99 (median of the minutes) ≤ 2 × what it is beside as many deliveries to receivers that answer (or < ${UNNOTICED_MS.full} ms; quick: < 5 s)`,
  ways: quickIn('express'),
  nightly: 'test/sender has each kind of misbehaviour, one by one',
  measuresTime: true,
  async run(testbed, counts) {
    const checks = createChecks();
    const { child, urls } = await openHostile(testbed);
    const api = createApi(testbed.cluster.urls, (await registerAccount(testbed.cluster, 'chaos')).key);
    for (const [index, url] of urls.entries()) {
      const events = [`hostile.${index % EACH}`];
      const { status, text } = await api.insist('POST', '/endpoints', {
        url,
        events,
        options: { retry_schedule: [0] },
      });
      if (status !== 201) throw new Error(`an endpoint was refused with ${status}: ${text}`);
    }
    // Each event goes to one destination of each kind.
    const kinds = urls.length / EACH;
    const events = counts.hostileAttempts;
    const hostileMs = (events * kinds * 1_000) / DELIVERIES_PER_SECOND;
    const comparisonMs = COMPARISON_MS[counts.profile];
    if (counts.profile === 'full') {
      const alone = await healthyLag(testbed, 'hostile-alone', comparisonMs);
      checks.figure('healthy p99 alone ms', alone.p99Ms);
    }
    const comparison = await besideOthers(testbed, kinds, () =>
      healthyLag(testbed, 'hostile-comparison', comparisonMs),
    );
    const memory = watchMemory(testbed);
    const ids: number[] = [];
    const sending = sendSlowly(api, events, hostileMs / events, ids);
    // At least for as long as the first of them hang.
    const during = await healthyLag(testbed, 'hostile-during', Math.max(hostileMs, counts.receiverTimeoutMs));
    await sending;
    await holdAttempts(checks, api, { ids, kinds, longestMs: counts.receiverTimeoutMs + MAX_BEYOND_MS });
    const growth = memory.stop();
    const { requests, longestMs } = await child.ask<HostileReport>({ kind: 'report' });
    checks.figure(
      'requests read',
      Object.values(requests).reduce((sum, count) => sum + count, 0),
    );
    checks.figure('longest connection ms', Math.round(Math.max(...Object.values(longestMs))));
    checks.figure('RSS of those that send MB', growth.map(({ from, to }) => `${from} → ${to}`).join(', '));
    checks.hold(
      growth.every(({ from, to }) => to <= from * MAX_GROWTH + WARM_UP_MB),
      `memory grew: ${JSON.stringify(growth)}`,
    );
    checks.figure('healthy p99 beside as many that answer ms', comparison.p99Ms);
    checks.figure('healthy p99 meanwhile ms', during.p99Ms);
    checks.figure('healthy p99 of all minutes together ms', during.wholeP99Ms);
    const noticed = during.p99Ms > 2 * comparison.p99Ms && during.p99Ms > UNNOTICED_MS[counts.profile];
    checks.hold(!noticed, `healthy receivers waited ${during.p99Ms} ms instead of ${comparison.p99Ms} ms (p99)`);
    await child.kill();
    return checks.outcome();
  },
};

async function openHostile({ authority }: Testbed): Promise<{ child: Child; urls: string[] }> {
  const child = await startChild(join(__dirname, '..', 'receivers', 'hostile-process.js'));
  const addresses = [HOSTILE_HOST];
  const certificates = {
    honest: await buildServerCertificate({ authority, addresses }),
    'wrong-tls': await buildServerCertificate({ authority: await buildAuthority('Another CA'), addresses }),
    'expired-tls': await buildServerCertificate({ authority, addresses, expired: true }),
  };
  const { ports } = await child.ask<{ ports: Record<HostileKind, number[]> }>({
    kind: 'listen',
    each: EACH,
    certificates,
  });
  // All ports of a kind, one after the other: a URL's place modulo EACH is its port's.
  const urls = Object.entries(ports).flatMap(([kind, all]) =>
    all.map((port) => `${kind === 'reset' ? 'http' : 'https'}://${HOSTILE_HOST}:${port}/${kind}`),
  );
  return { child, urls };
}

async function sendSlowly(api: Api, count: number, everyMs: number, ids: number[]): Promise<void> {
  const startedAt = performance.now();
  for (let event = 0; event < count; event += 1) {
    const { body } = await api.insist('POST', '/events', { type: `hostile.${event % EACH}`, data: { serial: -1 } });
    ids.push(body.id as number);
    await pass(Math.max(0, startedAt + (event + 1) * everyMs - performance.now()));
  }
}

interface Lag {
  /** The median of the minutes' p99. */
  readonly p99Ms: number;
  readonly wholeP99Ms: number;
}

/** Measures from acknowledgement to arrival. */
async function healthyLag(testbed: Testbed, name: string, forMs: number): Promise<Lag> {
  const tenant: Tenant = await testbed.open(name);
  const load = await tenant.load(HEALTHY_EVENTS_PER_SECOND);
  await pass(forMs);
  await load.stop();
  const { lags, lagP99Ms: wholeP99Ms, lost } = await tenant.settle();
  if (lost.length > 0) throw new Error(`${lost.length} healthy events were not delivered`);
  const windows = new Map<number, number[]>();
  const startedAt = Math.min(...lags.map(({ at }) => at));
  for (const { at, ms } of lags) {
    const window = Math.floor((at - startedAt) / WINDOW_MS);
    windows.set(window, [...(windows.get(window) ?? []), ms]);
  }
  const p99s = [...windows.values()].map((window) => percentile(window, 0.99));
  return { p99Ms: percentile(p99s, 0.5), wholeP99Ms };
}

/** Works while another account's events go to as many receivers as there are hostile kinds, which answer. */
async function besideOthers(testbed: Testbed, receivers: number, work: () => Promise<Lag>): Promise<Lag> {
  const tenant = await testbed.open('hostile-answering', { endpoints: Array.from({ length: receivers }, () => ({})) });
  const load = await tenant.load(DELIVERIES_PER_SECOND / receivers);
  const lag = await work();
  await load.stop();
  await tenant.settle();
  return lag;
}

interface Ended {
  readonly kind: string;
  readonly latencyMs: number;
  readonly code: string;
}

/** Every attempt is in the history, and none took longer than it may. */
async function holdAttempts(
  checks: Checks,
  api: Api,
  { ids, kinds, longestMs }: { ids: readonly number[]; kinds: number; longestMs: number },
): Promise<void> {
  const attempts: Ended[] = [];
  let open = [...ids];
  // Hanging receivers get few requests at a time: the last ones have their turn minutes later.
  await within(
    400_000,
    async () => {
      await inLanes(open, 2, async (id) => {
        const { body } = await api.insist('GET', `/events/${id}`);
        const deliveries = body.deliveries as {
          url: string;
          state: string;
          attempts: { latency_ms: number; error_code: string | null }[];
        }[];
        if (!deliveries.every(({ attempts: made }) => made.length > 0)) return;
        open = open.filter((other) => other !== id);
        for (const { url, attempts: made } of deliveries) {
          for (const { latency_ms: latencyMs, error_code: code } of made) {
            attempts.push({ kind: new URL(url).pathname.slice(1), latencyMs, code: code ?? 'none' });
          }
        }
      });
      return open.length === 0;
    },
    1_000,
  );
  checks.hold(open.length === 0, `${open.length} events have deliveries without an attempt`);
  checks.figure('attempts', attempts.length);
  checks.hold(attempts.length >= ids.length * kinds, 'there are fewer attempts than deliveries');
  const longest = Math.max(...attempts.map(({ latencyMs }) => latencyMs));
  checks.figure('longest attempt s', rounded(longest / 1_000));
  checks.hold(longest <= longestMs, `an attempt took ${longest} ms`);
  const codes = new Map<string, Set<string>>();
  for (const { kind, code } of attempts) codes.set(kind, (codes.get(kind) ?? new Set()).add(code));
  checks.figure('ended as', [...codes].map(([kind, all]) => `${kind} ${[...all].join('/')}`).join(', '));
}

/** Resident memory of each process that sends, from when the first connections are made to the end. */
function watchMemory({ cluster, way }: Testbed) {
  const senders = way === 'express' ? [...cluster.apis, ...cluster.workers] : cluster.workers;
  const samples = senders.map((): number[] => []);
  const timer = setInterval(() => {
    for (const [index, sender] of senders.entries()) samples[index]!.push(residentMb(sender.pid()));
  }, 1_000);
  return {
    stop() {
      clearInterval(timer);
      return samples.map((all) => {
        const quarter = Math.max(1, Math.floor(all.length / 4));
        const median = (part: readonly number[]): number => Math.round(percentile(part, 0.5));
        return { from: median(all.slice(quarter, 2 * quarter)), to: median(all.slice(-quarter)) };
      });
    },
  };
}
