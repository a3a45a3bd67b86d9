import { queryOptions } from '@tanstack/react-query';
import type { Overview, UsageList } from '../api/answers';
import { callApi } from '../api/call-api';

/** What happened in the last hours. */
export function overviewQuery(hours: string) {
  return queryOptions({
    queryKey: ['overview', 'account', hours],
    queryFn: () => callApi<Overview>(`/dashboard/api/overview?hours=${hours}`),
  });
}

/** Calls outside of the webhooks, by day. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: () => callApi<UsageList>('/dashboard/api/usage?days=30'),
});
