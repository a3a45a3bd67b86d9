import { z } from 'zod';

/** The newest month is the running one. */
const MONTH_RULE = 'must be a month such as 2026-11';
export const REPORT_GROUPS = ['endpoint', 'type', 'key', 'day'] as const;

/** Query of the reports on deliveries. */
export const reportQuery = z.strictObject({
  month: z
    .string()
    .regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/, MONTH_RULE)
    .optional()
    .meta({ description: 'In UTC; the running month by default. Counts are kept for 13 months.', example: '2026-11' }),
  by: z
    .enum(REPORT_GROUPS, `must be one of ${REPORT_GROUPS.join(', ')}`)
    .default('endpoint')
    .meta({ description: 'What the deliveries are counted by: the rows of the report.' }),
});

const counts = {
  accepted: z.int().meta({ description: 'New deliveries: one for each event and endpoint that gets it.' }),
  delivered: z.int().meta({ description: 'Deliveries that were delivered, by their first run.' }),
  failed: z.int().meta({ description: 'Deliveries that were given up after their last attempt.' }),
  recovered: z.int().meta({ description: 'Given-up deliveries that a replay delivered. `failed` still has them.' }),
  delivered_share: z
    .number()
    .nullable()
    .meta({ description: '`delivered` of `delivered` and `failed`, from 0 to 1; null while both are 0.' }),
  time_to_delivered_ms: z.object({ p50: z.int(), p95: z.int() }).meta({ id: 'TimeToDelivered' }).nullable().meta({
    description: 'From acceptance to delivery, within 9.1 % and half a second. Without replays. Null without any.',
  }),
};

const totals = z.object(counts).meta({ id: 'DeliveryTotals', description: 'Deliveries of a time.' });

/** The answer of GET /api/v1/reports/deliveries. */
export const deliveryReportView = z
  .object({
    month: z.string(),
    until: z.iso.datetime().meta({ description: 'Now, or the end of the month.' }),
    by: z.enum(REPORT_GROUPS),
    totals,
    month_before: totals,
    month_before_to_date: totals.meta({
      id: 'DeliveryTotalsToDate',
      description: 'The month before, up to the same day of the month: it compares fairly with a running month.',
    }),
    rows: z
      .array(
        z
          .object({
            id: z.string().meta({ description: "The endpoint's or the key's id, the event type, or the day in UTC." }),
            name: z.string().nullable().meta({
              description:
                "The endpoint's description or URL, or the key's label; null if it is gone, and for a type or day.",
            }),
            ...counts,
          })
          .meta({ id: 'DeliveryReportRow' }),
      )
      .meta({
        description: 'The 100 with the most deliveries, the most first; of days, all with any, the oldest first.',
      }),
    other: totals.nullable().meta({
      id: 'OtherDeliveries',
      description:
        'What is in no row: of further names, and by key the deliveries of events without one. Null if nothing is.',
    }),
    cost: z
      .object({ price_per_1000_calls: z.string(), calls: z.int(), amount: z.number() })
      .meta({ id: 'MonthlyCost' })
      .nullable()
      .meta({
        description:
          "This month's calls at the price of the account's tier. Null for a tier without a price and for past months.",
      }),
  })
  .meta({ id: 'DeliveryReport' });

/** The answer of GET /api/v1/reports/deliveries. */
export type DeliveryReport = z.output<typeof deliveryReportView>;
/** The rows that a report has. */
export type ReportGroup = (typeof REPORT_GROUPS)[number];
