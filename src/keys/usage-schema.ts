import { z } from 'zod';

const time = z.iso.datetime();
const DAYS_RULE = 'must be a whole number from 1 to 400';

/** The parameters of GET /api/v1/usage. */
export const usageQuery = z.strictObject({
  days: z
    .string()
    .regex(/^([1-9][0-9]?|[1-3][0-9]{2}|400)$/, DAYS_RULE)
    .default('30')
    .transform(Number)
    .meta({ description: 'How many days, today included: 1 to 400.' }),
});

const refusedView = z
  .object({
    rate_limit_exceeded: z.int(),
    quota_exceeded: z.int(),
    delivery_budget_exceeded: z.int(),
    pending_budget_exceeded: z.int(),
    filter_budget_exceeded: z.int(),
    storage_budget_exceeded: z.int(),
  })
  .meta({ id: 'RefusedCalls', description: 'Calls that got 429, by the `code` of the error.' });

const dayView = z
  .object({
    day: z.iso.date().meta({ description: 'In UTC.' }),
    calls: z.int().meta({ description: 'Calls that count in the quota.' }),
    refused: refusedView,
    attempts: z
      .int()
      .nullable()
      .meta({ description: 'Answered delivery attempts; null for days that are too long ago to know.' }),
    keys: z
      .array(z.object({ key_id: z.string(), calls: z.int(), refused: z.int() }).meta({ id: 'KeyUsage' }))
      .meta({ description: 'The calls by key, the most first; only keys that were used.' }),
  })
  .meta({ id: 'UsageOfDay' });

const quotaView = z
  .object({
    limit: z.int().nullable().meta({ description: 'Null is unlimited.' }),
    used: z.int(),
    resets_at: time,
    outlook: z.enum(['unlimited', 'used_up', 'unknown', 'enough', 'runs_out']).meta({
      id: 'QuotaOutlook',
      description:
        "What becomes of the quota at this month's pace. `unknown`: the month has less than a day or 20 calls so far.",
    }),
    runs_out_at: time.nullable().meta({ description: 'When it is used up at that pace, if `runs_out`; else null.' }),
  })
  .meta({ id: 'QuotaUsage' });

const windowView = z
  .object({ limit: z.int(), used: z.int(), resets_at: time.nullable().meta({ description: 'Null if none is open.' }) })
  .meta({ id: 'WindowUsage' });

/** The answer of GET /api/v1/usage. */
export const usageView = z
  .object({
    from: z.iso.date(),
    to: z.iso.date().meta({ description: 'Today, in UTC.' }),
    days: z.array(dayView).meta({ description: 'Every day from `from` to `to`, the oldest first.' }),
    keys: z
      .array(z.object({ id: z.string(), label: z.string() }).meta({ id: 'NamedKey' }))
      .meta({ description: 'The keys that were used on these days.' }),
    outside_quota: z
      .array(
        z
          .object({
            day: z.iso.date(),
            key_id: z.string(),
            operation: z.string(),
            calls: z.int(),
          })
          .meta({ id: 'UncountedUsage' }),
      )
      .meta({
        description: 'Calls that do not count in the quota: those of the cost estimator. The newest day first.',
      }),
    quota: quotaView,
    calls_per_minute: windowView,
    deliveries_per_minute: windowView,
    pending_deliveries: z
      .object({ limit: z.int().nullable().meta({ description: 'Null is unlimited.' }), at_most: z.int() })
      .meta({ id: 'PendingUsage', description: 'Unfinished deliveries: an upper bound.' }),
  })
  .meta({ id: 'Usage' });

/** The answer of GET /api/v1/usage. */
export type UsageReport = z.output<typeof usageView>;
