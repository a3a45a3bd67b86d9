import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { HealthWindow } from '../../../src/domain/health-windows';
import type { AccountHealth, Backlog, Installation, Overview } from '../api/answers';
import { callApi } from '../api/call-api';
import { historyQuery } from '../charts/history';

const MINUTE_MS = 60_000;
/** The shortest span of a chart is five minutes: it need not follow every attempt. */
const CHART_MS = 30_000;

/** What needs attention, and what waits. Reloaded after changes and once a minute, because health also changes with time. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => callApi<Overview>('/dashboard/api/overview'),
  refetchInterval: MINUTE_MS,
});

/** For operators: what needs attention in all accounts. The stream of changes is about one account. */
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: () => callApi<Installation>('/dashboard/api/installation'),
  refetchInterval: MINUTE_MS,
});

/** The count of unfinished deliveries that is also in the overview, and reloaded with it. */
export const backlogQuery = queryOptions({
  queryKey: ['overview', 'backlog'],
  queryFn: () => callApi<Backlog>('/dashboard/api/backlog'),
});

/** The attempts of a window, to all endpoints. */
export function accountHealthQuery(window: HealthWindow) {
  return queryOptions({
    queryKey: ['account-health', window],
    queryFn: () => callApi<AccountHealth>(`/dashboard/api/webhooks/health?${historyQuery(window)}`),
    refetchInterval: CHART_MS,
    placeholderData: keepPreviousData,
  });
}
