import { z } from 'zod';
import { addOperation } from '../http/operation';
import { EXAMPLE_ID, type Api, type Tag } from '../http/route';
import { exportReport } from './export-report';
import { reportDeliveries, type DeliveryReportDeps } from './report-deliveries';
import { deliveryReportView, reportQuery } from './schema';

const REPORTS_TAG: Tag = { name: 'Reports', description: 'The results of the deliveries of a month.' };

const TOTALS = {
  accepted: 12_400,
  delivered: 12_310,
  failed: 37,
  recovered: 12,
  delivered_share: 0.997,
  time_to_delivered_ms: { p50: 87, p95: 1_024 },
};
const BEFORE = { ...TOTALS, accepted: 9_800, delivered: 9_720, failed: 80, delivered_share: 0.9918 };
const REPORT_EXAMPLE = {
  month: '2026-11',
  until: '2026-11-21T12:02:31.000Z',
  by: 'endpoint',
  totals: TOTALS,
  month_before: BEFORE,
  month_before_to_date: { ...BEFORE, accepted: 6_400, delivered: 6_350, failed: 50, delivered_share: 0.9921 },
  rows: [{ id: `ep_${EXAMPLE_ID}`, name: 'Billing', ...TOTALS }],
  other: null,
  cost: { price_per_1000_calls: '0.40', calls: 8_120, amount: 3.25 },
};

/** Adds the reports on deliveries, as JSON and as CSV. */
export function addReportRoutes(api: Api, deps: DeliveryReportDeps): void {
  addOperation(
    api,
    {
      id: 'getDeliveryReport',
      method: 'get',
      path: '/api/v1/reports/deliveries',
      scopes: ['usage:read'],
      tag: REPORTS_TAG,
      summary: 'Report the deliveries of a month',
      description:
        'How many deliveries were accepted, delivered and given up, and how long it took, by endpoint, event type, key or day, with ' +
        'the month before. A delivery counts when it ends, by its first run. Cancelled ones and those of tests and `everpost.*` events are ' +
        'not counted. Complete to within a second or two; a process that is killed loses its last second of counts.',
      query: reportQuery,
      answers: { 200: { description: 'The report.', schema: deliveryReportView, example: REPORT_EXAMPLE } },
    },
    ({ query, caller }) => reportDeliveries(deps, caller.accountId, query),
  );
  addOperation(
    api,
    {
      id: 'exportDeliveryReport',
      method: 'get',
      path: '/api/v1/reports/deliveries.csv',
      scopes: ['usage:read'],
      tag: REPORTS_TAG,
      summary: 'Export the deliveries of a month',
      description:
        'The rows of the report as CSV, then `other` for what is in no row, and `total`. A text that a spreadsheet would evaluate as ' +
        'a formula begins with an apostrophe.',
      query: reportQuery,
      answers: {
        200: {
          description: 'The table.',
          mediaType: 'text/csv',
          schema: z.string(),
          example: exportReport(deliveryReportView.parse(REPORT_EXAMPLE)),
        },
      },
    },
    async ({ query, caller, ctx }) => {
      const report = await reportDeliveries(deps, caller.accountId, query);
      ctx.attachment(`deliveries-${report.month}-by-${report.by}.csv`);
      ctx.type = 'text/csv; charset=utf-8';
      return exportReport(report);
    },
  );
}
