import { csvLine } from '../platform/csv';
import type { DeliveryReport } from './schema';

const COLUMNS = [
  'month',
  'by',
  'id',
  'name',
  'accepted',
  'delivered',
  'failed',
  'recovered',
  'delivered_share',
  'time_to_delivered_p50_ms',
  'time_to_delivered_p95_ms',
];

/** The rows of a report, what is in no row as `other`, and the `total`. */
export function tableOf({ rows, other, totals }: DeliveryReport): DeliveryReport['rows'] {
  const rest = other ? [{ id: 'other', name: null, ...other }] : [];
  return [...rows, ...rest, { id: 'total', name: null, ...totals }];
}

/** A report as CSV (RFC 4180): a header line, the rows, what is in no row as `other`, and the `total`. */
export function exportReport(report: DeliveryReport): string {
  const { month, by } = report;
  const cells = tableOf(report).map(({ id, name, time_to_delivered_ms: times, delivered_share: share, ...counts }) => {
    const { accepted, delivered, failed, recovered } = counts;
    return [month, by, id, name, accepted, delivered, failed, recovered, share, times?.p50, times?.p95];
  });
  return [COLUMNS, ...cells].map(csvLine).join('');
}
