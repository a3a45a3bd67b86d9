import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliveryReport } from '../api/answers';
import { callApi } from '../api/call-api';

/** What the deliveries of the running month are reported by. */
export type ReportBy = 'endpoint' | 'type' | 'key';

/** The deliveries of the running month and of the month before. */
export function reportQuery(by: ReportBy) {
  return queryOptions({
    queryKey: ['reports', by],
    queryFn: () => callApi<DeliveryReport>(`/dashboard/api/reports/deliveries?by=${by}`),
    placeholderData: keepPreviousData,
  });
}
