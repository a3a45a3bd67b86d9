import { z } from 'zod';
import { OPEN_ENUM } from '../http/open-enum';
import { ATTEMPT_ERROR_CODES, type AttemptErrorCode } from '../domain/delivery-state';
import { HEALTH_STATES, type HealthState } from '../domain/endpoint-health';
import { HEALTH_WINDOWS, type HealthWindow } from '../domain/health-windows';
import { nextCursor } from '../http/list-query';
import { endpointView } from './schema';

const time = z.iso.datetime();

export const attemptErrorCode = z
  .enum(ATTEMPT_ERROR_CODES)
  .meta({ id: 'AttemptErrorCode', description: 'A release may add codes.', [OPEN_ENUM]: ATTEMPT_ERROR_CODES });

const STATE_WORDS =
  '`failing`: the last three attempts or more failed, or all that there were. `degraded`: the last attempt failed, or at ' +
  'least 1 % of those of the last hour. `waiting`: there was no attempt in 30 days, or nothing may be sent yet.';

/** The health of an endpoint, by its attempts. */
export const healthView = z
  .object({
    state: z.enum(HEALTH_STATES).meta({ id: 'HealthState', description: STATE_WORDS }),
    since: time.nullable().meta({
      description:
        'If `failing`, when the first of the attempts in a row failed; if `disabled` or `paused`, when it was, as far ' +
        'as that is known; else null.',
    }),
    failed_in_a_row: z.int().meta({ description: 'Failed attempts since the last success.' }),
    last_error: z
      .object({
        code: attemptErrorCode,
        status_code: z.int().nullable(),
        error: z.string().meta({ description: 'What went wrong, in a sentence.' }),
        count: z.int().meta({ description: 'How many of `failed_in_a_row` had it, counted back from the last.' }),
      })
      .meta({ id: 'LastError' })
      .nullable()
      .meta({ description: 'Of the last failed attempt; null if none failed.' }),
    last_success_at: time.nullable(),
    last_failure_at: time.nullable(),
    last_hour: z
      .object({ attempts: z.int(), failed: z.int() })
      .meta({ id: 'LastHour', description: 'Attempts of the last 55 to 60 minutes.' }),
  })
  .meta({ id: 'EndpointHealth' });

/** An endpoint with its health. */
export const endpointWithHealthView = endpointView.extend({ health: healthView }).meta({ id: 'EndpointWithHealth' });

/** The answer of GET /api/v1/webhooks/endpoints. */
export const endpointListView = z
  .object({ endpoints: z.array(endpointWithHealthView), next_cursor: nextCursor })
  .meta({ id: 'EndpointPage' });

const windows = Object.keys(HEALTH_WINDOWS) as [HealthWindow, ...HealthWindow[]];
const healthWindow = z.enum(windows, `must be one of ${windows.join(', ')}`).meta({ id: 'HealthWindow' });

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Query of the operations on health. */
export const healthQuery = z.strictObject({
  window: healthWindow
    .default('24h')
    .meta({ description: '`1h` and `24h`: by five minutes. `7d` and `30d`: by hour.' }),
  days_in: z
    .string()
    .max(64, 'must have at most 64 characters')
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin or UTC')
    .optional()
    .meta({
      description:
        'A time zone: `series` is by day in it. A day that the window has only a part of counts that part. ' +
        '`causes` stay as exact as without it.',
      example: 'Europe/Berlin',
    }),
});

const counts = {
  attempts: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  retries: z.int().meta({ description: 'Attempts with a number above 1.' }),
  failed_by: z
    .object(
      Object.fromEntries(ATTEMPT_ERROR_CODES.map((code) => [code, z.int().optional()])) as Record<
        AttemptErrorCode,
        z.ZodOptional<z.ZodInt>
      >,
    )
    .meta({ id: 'FailuresByCause', description: 'Failed attempts by cause.' }),
  latency_ms: z
    .object({ p50: z.int(), p95: z.int(), p99: z.int() })
    .meta({ id: 'LatencyPercentiles' })
    .nullable()
    .meta({
      description: 'From counters: within 9.1 % and half a millisecond of the exact value. Null without attempts.',
    }),
};

/** Counts of attempts. */
export const attemptTotalsView = z.object(counts).meta({ id: 'AttemptTotals', description: 'Counts of attempts.' });

/** A receiver may answer hundreds of statuses; no user reads more causes than these. */
export const MAX_CAUSES = 20;

const history = {
  window: healthWindow,
  since: time,
  until: time,
  totals: attemptTotalsView,
  causes: z
    .array(
      z
        .object({
          code: attemptErrorCode,
          status_code: z.int().nullable().meta({ description: "The receiver's status, for `http_status`." }),
          count: z.int().meta({ description: 'Attempts of the window that failed with it.' }),
          first_seen: time.meta({
            description: 'The start of the first span with it: the first of them failed at most one span later.',
          }),
          last_seen: time.meta({
            description: 'The end of the last span with it, or now: the last of them failed at most one span earlier.',
          }),
        })
        .meta({ id: 'CauseOfFailures' }),
    )
    .max(MAX_CAUSES)
    .meta({ description: 'Why attempts of the window failed, each HTTP status by itself; the last seen first.' }),
  series: z.array(z.object({ from: time, ...counts }).meta({ id: 'AttemptSpan' })).meta({
    description:
      'The oldest first: five minutes, an hour, or with `days_in` a day each. Spans without an answered attempt are left out.',
  }),
};

/** The answer of GET /api/v1/webhooks/endpoints/{endpoint_id}/health. */
export const endpointHistoryView = z
  .object({ endpoint_id: z.string(), health: healthView, ...history })
  .meta({ id: 'EndpointHistory' });

/** The answer of GET /api/v1/webhooks/health. */
export const accountHealthView = z
  .object({
    endpoints: z
      .object(Object.fromEntries(HEALTH_STATES.map((state) => [state, z.int()])) as Record<HealthState, z.ZodInt>)
      .meta({ id: 'EndpointsByState', description: 'How many endpoints are in each state.' }),
    ...history,
  })
  .meta({ id: 'AccountHealth' });
