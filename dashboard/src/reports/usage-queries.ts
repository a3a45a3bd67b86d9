import { queryOptions } from '@tanstack/react-query';
import type { Usage } from '../api/answers';
import { callApi } from '../api/call-api';

/** The last 31 days: they contain this month, and the last 30 days. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: () => callApi<Usage>('/dashboard/api/usage?days=31'),
});
