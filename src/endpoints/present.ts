import type { z } from 'zod';
import { latencyQuantile, type AttemptCounts } from '../domain/attempt-counts';
import { causesOf, failuresByCode, type CauseSeen } from '../domain/failure-causes';
import { GRAIN_MS, HEALTH_WINDOWS } from '../domain/health-windows';
import type { SecretBox } from '../platform/secret-box';
import { showOptions } from './endpoint-options';
import { MAX_CAUSES, type attemptTotalsView, type healthView } from './health-schema';
import type { AttemptHistory, EndpointHealth } from './read-health';
import type { EndpointStats } from '../stores/endpoint-stats-store';
import { activationTime, type RevealedSecrets } from './rotate-secret';
import type { endpointView, secretView } from './schema';
import type { StatsWindow, statsView } from './state-schema';
import type { Endpoint, Verification } from '../stores/endpoint-store';

/** An endpoint in the API, without its signing secrets, passwords and tokens. */
export function presentEndpoint(secretBox: SecretBox, endpoint: Endpoint): z.output<typeof endpointView> {
  return {
    id: endpoint._id,
    external_id: endpoint.external_id ?? null,
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    metadata: JSON.parse(endpoint.metadata ?? '{}') as Record<string, string>,
    status: endpoint.status,
    ...(endpoint.disabled_reason && { disabled_reason: endpoint.disabled_reason }),
    ...(endpoint.verification && { verification: presentVerification(endpoint.verification) }),
    secret_since: (endpoint.secret_since ?? endpoint.created_at).toISOString(),
    ...(endpoint.next_secret_at && { next_secret_activates_at: activationTime(endpoint.next_secret_at).toISOString() }),
    backlog: presentBacklog(endpoint),
    options: showOptions({ secretBox, endpointId: endpoint._id, current: endpoint.options }),
    created_at: endpoint.created_at.toISOString(),
    updated_at: endpoint.updated_at.toISOString(),
  };
}

function presentBacklog({ backlog_per_second: perSecond, backlog_since: since }: Endpoint) {
  return perSecond === undefined || !since ? null : { per_second: perSecond, since: since.toISOString() };
}

function presentVerification({ host, state, asked_at: askedAt, error }: Verification) {
  return { host, state, asked_at: askedAt?.toISOString() ?? null, error };
}

/** The signing secrets, for their owner. */
export function presentSecrets({ secret, nextSecret, activatesAt }: RevealedSecrets): z.output<typeof secretView> {
  return { secret, next_secret: nextSecret, next_secret_activates_at: activatesAt?.toISOString() ?? null };
}

/** The results of an endpoint's deliveries. */
export function presentStats(id: string, window: StatsWindow, stats: EndpointStats): z.output<typeof statsView> {
  const { delivered, failed } = stats.deliveries;
  const { total, succeeded } = stats.attempts;
  return {
    endpoint_id: id,
    window,
    since: stats.since.toISOString(),
    until: stats.until.toISOString(),
    complete: stats.complete,
    deliveries: { ...stats.deliveries },
    success_rate: delivered + failed === 0 ? null : Math.round((delivered / (delivered + failed)) * 10_000) / 10_000,
    attempts: { total, succeeded, failed: total - succeeded },
    latency_ms: stats.latencyMs && { ...stats.latencyMs },
  };
}

/** The health of an endpoint, in the API. */
export function presentHealth(
  { disabled_at: disabledAt, paused_at: pausedAt }: Pick<Endpoint, 'disabled_at' | 'paused_at'>,
  { state, seen, lastHour }: EndpointHealth,
): z.output<typeof healthView> {
  const { cause = null, run = null } = seen ?? {};
  const since = { failing: run?.since, disabled: disabledAt, paused: pausedAt }[state as string];
  return {
    state,
    since: since?.toISOString() ?? null,
    failed_in_a_row: run?.failures ?? 0,
    last_error: cause && {
      code: cause.code,
      status_code: cause.statusCode,
      error: cause.text,
      count: run?.sameCause ?? 0,
    },
    last_success_at: seen?.succeededAt?.toISOString() ?? null,
    last_failure_at: seen?.failedAt?.toISOString() ?? null,
    last_hour: { attempts: lastHour.attempts, failed: lastHour.attempts - lastHour.succeeded },
  };
}

/** The attempts of a window, in the API. */
export function presentHistory({ window, since, until, totals, series, byDay = series }: AttemptHistory) {
  const spanMs = GRAIN_MS[HEALTH_WINDOWS[window].grain];
  return {
    window,
    since: since.toISOString(),
    until: until.toISOString(),
    totals: presentCounts(totals),
    causes: causesOf(series, spanMs, until).slice(0, MAX_CAUSES).map(presentCause),
    series: byDay.map(({ at, ...counts }) => ({ from: at.toISOString(), ...presentCounts(counts) })),
  };
}

function presentCause({ code, statusCode, failures, firstFrom, lastUntil }: CauseSeen) {
  return {
    code,
    status_code: statusCode,
    count: failures,
    first_seen: firstFrom.toISOString(),
    last_seen: lastUntil.toISOString(),
  };
}

function presentCounts(counts: AttemptCounts): z.output<typeof attemptTotalsView> {
  const { attempts, succeeded, retries, failedBy, latencies } = counts;
  const quantile = (share: number): number => latencyQuantile(latencies, share)!;
  return {
    attempts,
    succeeded,
    failed: attempts - succeeded,
    retries,
    failed_by: failuresByCode(failedBy),
    latency_ms: attempts === 0 ? null : { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
  };
}
