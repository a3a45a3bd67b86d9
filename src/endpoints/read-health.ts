import { NO_ATTEMPTS, sumCounts, type AttemptCounts } from '../domain/attempt-counts';
import { HEALTH_STATES, healthState, type AnswersSeen, type HealthState } from '../domain/endpoint-health';
import { daysOfWindow, HEALTH_WINDOWS, spansOfWindow, type HealthWindow } from '../domain/health-windows';
import type { AttemptCountStore, CountsAt } from '../stores/attempt-count-store';
import type { EndpointHealthStore } from '../stores/endpoint-health-store';
import type { Endpoint, EndpointStore } from '../stores/endpoint-store';
import { findEndpoint } from './find-endpoints';

/** What reading the health of endpoints needs. */
export interface HealthDeps {
  readonly endpoints: Pick<EndpointStore, 'find' | 'listByAccount'>;
  readonly health: Pick<EndpointHealthStore, 'find'>;
  readonly attemptCounts: Pick<AttemptCountStore, 'series' | 'byEndpoint'>;
}

/** The health of an endpoint, by the attempts that were written: an answer is written within about a second. */
export interface EndpointHealth {
  readonly state: HealthState;
  /** Null if nothing was attempted in 30 days. */
  readonly seen: AnswersSeen | null;
  readonly lastHour: Pick<AttemptCounts, 'attempts' | 'succeeded'>;
}

/** The caller's account, and the database's time. */
export interface Viewer {
  readonly accountId: string;
  readonly now: Date;
}

/** The attempts of a window. */
export interface AttemptHistory {
  readonly window: HealthWindow;
  readonly since: Date;
  readonly until: Date;
  readonly totals: AttemptCounts;
  readonly series: readonly CountsAt[];
  /** The same by day, if that was asked for. */
  readonly byDay: readonly CountsAt[] | undefined;
}

/** The window that is asked for, and the time zone of its days, if the answer is by day. */
export interface HistoryQuery {
  readonly window: HealthWindow;
  readonly daysIn?: string | undefined;
}

/**
 * The health of some endpoints of an account, in their order.
 *
 * @returns each endpoint with its health
 */
export async function addHealth(
  { health, attemptCounts }: Pick<HealthDeps, 'health' | 'attemptCounts'>,
  { now }: Pick<Viewer, 'now'>,
  endpoints: readonly Endpoint[],
): Promise<{ readonly endpoint: Endpoint; readonly health: EndpointHealth }[]> {
  if (endpoints.length === 0) return [];
  const since = startOf(now, '1h');
  const [only] = endpoints;
  const [seen, recent] = await Promise.all([
    health.find(endpoints.map(({ _id }) => _id)),
    endpoints.length === 1
      ? attemptCounts
          .series(only!._id, '5m', since)
          .then((spans) => spans.map((it) => ({ ...it, endpointId: only!._id })))
      : attemptCounts.byEndpoint(
          endpoints.map(({ _id }) => _id),
          '5m',
          since,
        ),
  ]);
  const lastHours = new Map<string, AttemptCounts>();
  for (const span of recent)
    lastHours.set(span.endpointId, sumCounts(lastHours.get(span.endpointId) ?? NO_ATTEMPTS, span));
  return endpoints.map((endpoint) => {
    const lastHour = lastHours.get(endpoint._id) ?? NO_ATTEMPTS;
    const answers = seen.get(endpoint._id) ?? null;
    return { endpoint, health: { state: healthState(endpoint, answers, lastHour), seen: answers, lastHour } };
  });
}

/** One endpoint with its health. @throws NotFoundError when the account has no such endpoint */
export async function getWithHealth(deps: HealthDeps, viewer: Viewer, id: string) {
  const endpoint = await findEndpoint(deps, viewer.accountId, id);
  const [found] = await addHealth(deps, viewer, [endpoint]);
  return found!;
}

/**
 * An endpoint's health, and its attempts of a window.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function getEndpointHistory(deps: HealthDeps, viewer: Viewer, id: string, query: HistoryQuery) {
  const found = await getWithHealth(deps, viewer, id);
  return { ...found, history: await historyOf(deps, id, viewer.now, query) };
}

/** How many endpoints of an account are in each state, and the account's attempts of a window. */
export async function getAccountHealth(deps: HealthDeps, viewer: Viewer, query: HistoryQuery) {
  const [endpoints, history] = await Promise.all([
    deps.endpoints.listByAccount(viewer.accountId),
    historyOf(deps, viewer.accountId, viewer.now, query),
  ]);
  const counts = Object.fromEntries(HEALTH_STATES.map((state) => [state, 0])) as Record<HealthState, number>;
  for (const { health } of await addHealth(deps, viewer, endpoints)) counts[health.state] += 1;
  return { endpoints: counts, history };
}

async function historyOf(
  { attemptCounts }: Pick<HealthDeps, 'attemptCounts'>,
  subject: string,
  now: Date,
  { window, daysIn }: HistoryQuery,
): Promise<AttemptHistory> {
  const since = startOf(now, window);
  const series = await attemptCounts.series(subject, HEALTH_WINDOWS[window].grain, since);
  const byDay = daysIn === undefined ? undefined : sumByDay(series, daysOfWindow(now, window, daysIn));
  return { window, since, until: now, totals: series.reduce(sumCounts, NO_ATTEMPTS), series, byDay };
}

/** Days without attempts are left out. */
function sumByDay(series: readonly CountsAt[], days: readonly (readonly Date[])[]): CountsAt[] {
  const counted = new Map(series.map((span) => [span.at.getTime(), span]));
  return days.flatMap((spans) => {
    const ofDay = spans.flatMap((at) => counted.get(at.getTime()) ?? []);
    return ofDay.length === 0 ? [] : [{ ...ofDay.reduce(sumCounts, NO_ATTEMPTS), at: spans[0]! }];
  });
}

function startOf(now: Date, window: HealthWindow): Date {
  return spansOfWindow(now, window)[0]!;
}
