import { z } from 'zod';
import { DELIVERY_STATES, type DeliveryState } from '../domain/delivery-state';
import { NOT_PLAIN, PLAIN_TEXT } from '../domain/plain-text';
import { maxPerSecond } from './option-values-schema';

const MAX_REASON = 200;

/** Body of POST /api/v1/webhooks/endpoints/{endpoint_id}/pause. */
export const pauseBody = z
  .strictObject({
    reason: z
      .string()
      .min(1, 'must not be empty')
      .max(MAX_REASON, `must have at most ${MAX_REASON} characters`)
      .regex(PLAIN_TEXT, NOT_PLAIN)
      .optional()
      .meta({
        description: 'Why, in the words of the caller: the audit log shows it.',
        example: 'Maintenance until 6',
      }),
  })
  .meta({ id: 'Pause' });

/** Body of POST /api/v1/webhooks/endpoints/{endpoint_id}/resume. */
export const resumeBody = z
  .strictObject({
    backlog_per_second: maxPerSecond
      .nullable()
      .optional()
      .meta({
        description:
          'The most attempts a second until nothing is held any more. Null: no such limit. Left out: what an earlier ' +
          'resume has set, if it still applies, or no such limit.',
        example: 20,
      }),
  })
  .meta({ id: 'Resumption' });

/** Windows of the statistics, in milliseconds. */
export const STATS_WINDOWS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;
export type StatsWindow = keyof typeof STATS_WINDOWS;

const windows = Object.keys(STATS_WINDOWS) as [StatsWindow, ...StatsWindow[]];
const WINDOW_RULE = `must be one of ${windows.join(', ')}`;

const statsWindow = z.enum(windows, WINDOW_RULE).meta({ id: 'StatsWindow' });

/** Query of GET /api/v1/webhooks/endpoints/{endpoint_id}/stats. */
export const statsQuery = z.strictObject({
  window: statsWindow
    .default('24h')
    .meta({ description: 'Events accepted within this time until now; `24h` by default.' }),
});

/** The answer of GET /api/v1/webhooks/endpoints/{endpoint_id}/stats. */
export const statsView = z
  .object({
    endpoint_id: z.string(),
    window: statsWindow,
    since: z.iso.datetime(),
    until: z.iso.datetime(),
    complete: z
      .boolean()
      .meta({ description: 'False if only the newest 10,000 deliveries of the window were counted.' }),
    deliveries: z
      .object(Object.fromEntries(DELIVERY_STATES.map((state) => [state, z.int()])) as Record<DeliveryState, z.ZodInt>)
      .meta({ id: 'DeliveryCounts', description: 'Deliveries by state.' }),
    success_rate: z.number().nullable().meta({
      description: 'Share of delivered among delivered and failed ones, from 0 to 1; null if there are none.',
    }),
    attempts: z.object({ total: z.int(), succeeded: z.int(), failed: z.int() }).meta({ id: 'AttemptCounts' }),
    latency_ms: z
      .object({ p50: z.number(), p95: z.number() })
      .meta({ id: 'Latency' })
      .nullable()
      .meta({ description: 'Of answered attempts; null if there are none.' }),
  })
  .meta({ id: 'EndpointStats' });
