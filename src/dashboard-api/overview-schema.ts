import { z } from 'zod';
import { healthView } from '../endpoints/health-schema';
import { accountNameView } from './account-schema';
import { tierView } from './schema';

const time = z.iso.datetime();

/** A number that is at least so much if `at_least` is true. */
const cappedCount = z.object({ deliveries: z.int(), at_least: z.boolean() });
/** The unfinished deliveries of an account, and when they were counted. */
export const backlogView = cappedCount.extend({ counted_at: time });
/** When the first of the failures in a row was; null if the last attempt succeeded. */
const failingSince = time.nullable();
export const overviewView = z.object({
  /** Which steps before the first delivery are done; null once there was one. */
  first_steps: z.object({ key: z.boolean(), endpoint: z.boolean(), event: z.boolean() }).nullable(),
  endpoints: z.object({ total: z.int(), healthy: z.int() }),
  /** The worst first. */
  attention: z.array(
    z.object({
      endpoint: z.object({
        id: z.string(),
        url: z.string(),
        description: z.string(),
        status: z.enum(['active', 'paused', 'disabled']),
        disabled_reason: z.enum(['gone', 'failing']).nullable(),
        /** The host that has to answer a challenge first. */
        unverified_host: z.string().nullable(),
      }),
      health: healthView,
      failing_since: failingSince,
      waiting: cappedCount,
    }),
  ),
  /** Endpoints that get deliveries later than they arrive, though nothing fails; the one that is latest first. */
  behind: z.array(
    z.object({
      endpoint: z.object({ id: z.string(), url: z.string(), description: z.string() }),
      waiting: cappedCount,
      /** When the oldest delivery that waits was accepted. */
      oldest_at: time,
      /** Deliveries a minute, in the last minutes. */
      arrived_per_minute: z.number(),
      delivered_per_minute: z.number(),
      /** When nothing waits any more, if both rates stay; null if that is never, or not known. */
      through_at: time.nullable(),
    }),
  ),
  /** Types with events of the last 24 hours that did not match the catalog of event types: at most ten, the most events first. */
  schema_errors: z.array(
    z.object({
      type: z.string(),
      count: z.int(),
      /** One of the last ones. */
      event_id: z.int(),
      at: time,
    }),
  ),
  /** How many more endpoints need attention. */
  more: z.int(),
  backlog: backlogView,
  limits: z.object({
    tier: tierView,
    burst: z.object({ limit: z.int(), used: z.int(), resets_at: time }),
    quota: z.object({ limit: z.int().nullable(), used: z.int(), resets_at: time }),
  }),
});

/** For operators: the accounts that need attention, and how late the deliveries of all accounts are. */
export const installationView = z.object({
  /** Those with the most failing endpoints first. */
  accounts: z.array(
    z.object({
      account: accountNameView,
      failing: z.int(),
      disabled: z.int(),
      degraded: z.int(),
      paused: z.int(),
      /** Since when the endpoint fails that fails longest; null if none does. */
      failing_since: time.nullable(),
      backlog: backlogView,
    }),
  ),
  /** How many more accounts need attention. */
  more: z.int(),
  /** False if more endpoints fail or are stopped than were looked at. */
  complete: z.boolean(),
  /** Events with a delivery whose attempt is late; at most 10,000. */
  overdue: z.object({ events: z.int(), oldest_seconds: z.int() }),
});

export const endpointHealthView = z.object({
  endpoints: z.array(
    z.object({
      endpoint_id: z.string(),
      health: healthView,
      failing_since: failingSince,
      hours: z.array(z.object({ from: time, succeeded: z.int(), failed: z.int() })),
    }),
  ),
});
/** How many unfinished deliveries each endpoint has; those without any are left out. */
export const endpointWaitingView = z.object({
  endpoints: z.array(z.object({ endpoint_id: z.string(), deliveries: z.int() })),
  /** False if more events wait than were counted. */
  complete: z.boolean(),
});
export const failureStartView = z.object({ failing_since: failingSince });
