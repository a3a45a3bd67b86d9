import type { Kill } from './cluster/kill';
import type { Checks } from './fault';
import type { LedgerLine } from './load/ledger';
import type { Counts } from './profile';
import type { Tenant, TenantEndpoint } from './tenant';
import type { Verdict } from './verify';

/** What holds in every row: nothing acknowledged is missing, nothing is invented, nothing is two events. */
export function holdNothingLost(checks: Checks, verdict: Verdict): void {
  const some = (ids: readonly number[]): string => ids.slice(0, 5).join(', ');
  checks.figure('sent', verdict.sent);
  checks.figure('acknowledged', verdict.acknowledged);
  for (const [state, count] of Object.entries(verdict.states)) checks.figure(state, count);
  checks.figure('lost', verdict.lost.length);
  checks.figure('invented', verdict.invented);
  checks.figure('lag p50 ms', verdict.lagP50Ms);
  checks.figure('lag p99 ms', verdict.lagP99Ms);
  checks.hold(verdict.acknowledged > 0, 'nothing was acknowledged, so nothing was shown');
  checks.hold(verdict.lost.length === 0, `${verdict.lost.length} acknowledged events are lost: ${some(verdict.lost)}`);
  const { unreceived, unrecorded, doubled, gaveUpEarly } = verdict;
  checks.hold(unreceived.length === 0, `recorded as delivered and never answered 2xx: ${some(unreceived)}`);
  checks.hold(unrecorded.length === 0, `answered 2xx and not recorded as delivered: ${some(unrecorded)}`);
  checks.hold(gaveUpEarly.length === 0, `failed before the last attempt: ${some(gaveUpEarly)}`);
  checks.hold(verdict.invented === 0, `${verdict.invented} requests that no client sent, or wrongly signed`);
  checks.hold(doubled.length === 0, `one key, two events: serials ${some(doubled)}`);
}

/** All were delivered, and by their first attempt unless receivers refused some: what broke cost none of the eight. */
export function holdAllDelivered(checks: Checks, verdict: Verdict, refused = 0): void {
  const others = Object.entries(verdict.states).filter(([state]) => state !== 'delivered');
  checks.hold(others.length === 0, `not delivered: ${others.map(([state, count]) => `${count} ${state}`).join(', ')}`);
  checks.figure('most attempts', verdict.mostAttempts);
  checks.hold(verdict.mostAttempts === refused + 1, `a crash cost an attempt: a delivery has ${verdict.mostAttempts}`);
}

/** Answers that were a moment old may not have been written down, and claims of the last moment not either. */
const RECORDING_MS = 500;
/** What was in a socket's buffer when its sender died still arrives. */
const BUFFERED_MS = 300;

/**
 * POSTs happen twice only where an attempt was under way when its worker was killed: claimed and not recorded, or open
 * at the receiver. A claim that outlasts several kills counts once.
 */
export function holdRepeatsInFlight(
  checks: Checks,
  verdict: Verdict,
  tenant: Pick<Tenant, 'received'> & { readonly endpoints: readonly Pick<TenantEndpoint, 'id' | 'path'>[] },
  kills: readonly Kill[],
): void {
  const received = tenant.received();
  const pathOf = new Map(tenant.endpoints.map(({ id, path }) => [id, path]));
  const inFlight = new Map<string, number>();
  const seen = new Set<string>();
  for (const { from, to, claimed } of kills) {
    const open = received.filter(
      ({ at, endedAt = Infinity }) => at <= to + BUFFERED_MS && endedAt >= from - RECORDING_MS,
    );
    const ours = claimed.filter(({ endpointId, claim }) => pathOf.has(endpointId) && !seen.has(claim));
    for (const { claim } of ours) seen.add(claim);
    const names = [
      ...open.map(({ id, path }) => `${id} ${path}`),
      ...ours.map(({ eventId, endpointId }) => `${eventId} ${pathOf.get(endpointId)}`),
    ];
    for (const name of new Set(names)) inFlight.set(name, (inFlight.get(name) ?? 0) + 1);
  }
  const total = [...inFlight.values()].reduce((sum, count) => sum + count, 0);
  const repeats = repeatsOf(verdict);
  const strange = verdict.repeated.filter(({ id, path, times }) => times > (inFlight.get(`${id} ${path}`) ?? 0));
  checks.figure('kills', kills.length);
  checks.figure('in flight at kills', total);
  checks.figure('repeated POSTs', repeats);
  checks.hold(
    strange.length === 0,
    `${strange.length} POSTs were repeated though none was in flight at a kill: ${JSON.stringify(strange.slice(0, 5))}`,
  );
}

/** Nothing was killed that sends: no POST happens twice. */
export function holdNoRepeats(checks: Checks, verdict: Verdict): void {
  const repeats = repeatsOf(verdict);
  checks.figure('repeated POSTs', repeats);
  checks.hold(repeats === 0, `${repeats} POSTs were repeated: ${JSON.stringify(verdict.repeated.slice(0, 5))}`);
}

/**
 * A delivery that waits for another one's trouble waits ten seconds or more: that is what `quick` detects, on a busy
 * machine.
 */
const HEALTHY_LAG_MS = { quick: 5_000, full: 1_000 };

/** A healthy neighbour's deliveries arrive in time, or, on a slow machine, in twice the time that they took alone. */
export function holdHealthyLag(
  checks: Checks,
  verdict: Verdict,
  { profile, beforeMs }: { readonly profile: Counts['profile']; readonly beforeMs: number },
): void {
  checks.figure('healthy lag p99 before ms', beforeMs);
  checks.figure('healthy lag p50 ms', verdict.lagP50Ms);
  checks.figure('healthy lag p99 ms', verdict.lagP99Ms);
  checks.hold(verdict.lost.length === 0, `${verdict.lost.length} healthy events were not delivered`);
  const mostMs = Math.max(HEALTHY_LAG_MS[profile], 2 * beforeMs);
  checks.hold(verdict.lagP99Ms < mostMs, `healthy deliveries lag by ${verdict.lagP99Ms} ms`);
}

/** Answers during an outage: only acceptance and 503, and each 503 says when to retry. */
export function holdOnly503(checks: Checks, lines: readonly LedgerLine[]): void {
  const refusals = lines.filter(({ status }) => status === 503);
  const others = new Set(lines.map(({ status }) => status).filter((status) => ![200, 202, 503].includes(status)));
  checks.figure('answers 503', refusals.length);
  checks.hold(others.size === 0, `there were answers other than 202 and 503: ${[...others].join(', ')}`);
  const silent = refusals.filter(({ retryAfter }) => retryAfter === undefined || retryAfter < 1);
  checks.hold(silent.length === 0, `${silent.length} answers of 503 have no Retry-After`);
}

/** How many POSTs were made again. */
export function repeatsOf({ repeated }: Verdict): number {
  return repeated.reduce((sum, { times }) => sum + times, 0);
}
