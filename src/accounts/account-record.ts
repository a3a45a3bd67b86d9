import type { By } from '../domain/audit-actions';
import type { BodyShape } from '../domain/body-form';
import type { EventTypeMode } from '../domain/event-type-modes';

/** A team: it owns keys, endpoints and events, and has one set of limits. */
export interface Account {
  readonly _id: string;
  /** The id that whoever created it by the API chose; unique. */
  readonly external_id?: string;
  readonly name?: string;
  /** Lower-case; unique. Absent if the API created it without one: then it has no users. */
  readonly email?: string;
  /** Id of a tier; one that is not configured counts as `free`. */
  readonly tier: string;
  /** Limits in place of those of the tier. */
  readonly own_limits?: OwnLimits;
  /** The caller's own map of texts, as JSON, because its names may contain any character. Absent: empty. */
  readonly metadata?: string;
  /** Increases with every change of the account's endpoints, so that caches know when to reload. */
  readonly endpoints_version: number;
  /** The fields of `data` by which events are found, for events from now on; absent: none. */
  readonly search_fields?: readonly string[];
  /** What applies to endpoints that don't say otherwise; absent: the installation's. */
  readonly defaults?: AccountDefaults;
  /** What an ingest does with events that the catalog of event types does not know; absent: as the installation says. */
  readonly event_types?: EventTypeMode;
  /** How many days finished events are kept, for events from now on; absent: as long as the installation keeps them. */
  readonly retention_days?: number;
  readonly created_at: Date;
  /** When the API or an operator last changed it; absent before that. */
  readonly updated_at?: Date;
  /** When it was suspended; absent while it is not. */
  readonly suspended_at?: Date;
  /** When its deletion began, which can't be undone. Only on a suspended account. */
  readonly deleting_since?: Date;
  /** The user who had it deleted, and the address of that request. */
  readonly deleting_by?: By;
  /** The limiter's counters, once there was a call; `quota_used` counts the calls of `month`. */
  readonly limits?: { readonly month: Date; readonly quota_used: number };
}

/** What applies to an account's endpoints that don't say otherwise. */
export interface AccountDefaults {
  readonly body?: BodyShape;
}

/** How much an account may do, where it differs from its tier. */
export interface OwnLimits {
  readonly per_minute?: number;
  /** Null is unlimited. */
  readonly monthly_quota?: number | null;
  readonly endpoints?: number;
  readonly deliveries_per_minute?: number;
  readonly pending_deliveries?: number;
}

/** Name of the collection, for the limiter, which updates the same documents. */
export const ACCOUNTS_COLLECTION = 'accounts';
