import type { AttemptErrorCode } from './delivery-state';

/** Deliveries start here; first attempts run inline, as local activities. */
export const DELIVERY_TASK_QUEUE = 'everpost-deliveries';

/** Attempts that may take long: destinations that were slow or failing, or are at their cap. */
export const SLOW_TASK_QUEUE = 'everpost-slow-attempts';

/** Requests under way to one endpoint from one process. */
export const MAX_PER_DESTINATION = 64;

/** Who makes first attempts (`FIRST_ATTEMPT`). */
export const FIRST_ATTEMPT_MODES = ['auto', 'workflow', 'express'] as const;
export type FirstAttemptMode = (typeof FIRST_ATTEMPT_MODES)[number];

/**
 * `workflow`: an execution makes it. `express`: the process that accepted the event makes it, and starts an execution
 * where something is left to do.
 */
export type FirstAttemptWay = Exclude<FirstAttemptMode, 'auto'>;

/** Workflow type of one event's way to one destination. */
export const DELIVERY_WORKFLOW = 'deliverEvent';

/** Signals of that workflow. */
export const RETRY_NOW_SIGNAL = 'retryNow';
export const CANCEL_SIGNAL = 'cancel';
export const WAKE_SIGNAL = 'wake';

/** Search attributes of a delivery's execution, all of type Keyword. */
export const SEARCH_ATTRIBUTES = [
  'EverpostAccountId',
  'EverpostEventId',
  'EverpostEndpointId',
  'EverpostEventType',
  'EverpostState',
] as const;

/** One run of one delivery: a replay is a new run. */
export interface DeliveryRef {
  readonly eventId: number;
  readonly endpointId: string;
  /** From 1. */
  readonly run: number;
}

/**
 * How the first attempt is made.
 * `inline`: a local activity, the fast way. `queued`: a normal activity on the slow queue.
 */
export type DeliveryRoute = 'inline' | 'queued';

/** The workflow's input. Ids and numbers only: Temporal holds no data, no secrets, no URLs. */
export interface DeliverEventInput extends DeliveryRef {
  /** Delays before each attempt, in milliseconds, fixed at the start of the delivery. */
  readonly schedule: readonly number[];
  /** 1, or the number to go on from after Temporal lost the execution. */
  readonly firstAttempt: number;
  /**
   * Wait before `firstAttempt`, in milliseconds. Before attempt 1 the schedule's own first delay comes on top; it is
   * negative when part of that delay is over.
   */
  readonly firstDelayMs: number;
  readonly route: DeliveryRoute;
}

/** The receiver's answer to one attempt, or its silence. */
export interface AttemptAnswer {
  readonly kind: 'answered';
  readonly number: number;
  readonly succeeded: boolean;
  readonly startedAtMs: number;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  readonly errorCode: AttemptErrorCode | null;
  /** The wait before the next attempt, where the receiver's `Retry-After` made it longer than the schedule says. */
  readonly nextDelayMs?: number;
}

/**
 * What an attempt came to.
 * `busy`: it is not its turn yet, or it is under way elsewhere; ask again after `waitMs`.
 * `held`: the endpoint is paused or disabled, or an earlier event of an ordered endpoint comes first (`in_line`).
 * `ended`: the delivery needs nothing more (cancelled, deleted, or finished by another run).
 */
export type AttemptOutcome =
  | AttemptAnswer
  | {
      readonly kind: 'busy';
      /** When to ask again, in milliseconds; without it ever more patiently. */
      readonly waitMs?: number;
      /** Its place in the endpoint's rate, as a time in milliseconds: to be given back with the next call. */
      readonly placeAtMs?: number;
    }
  | { readonly kind: 'held'; readonly reason?: 'in_line' }
  | { readonly kind: 'ended'; readonly state: 'cancelled' | 'delivered' | 'failed' };

/** One attempt of one delivery. */
export interface AttemptInput extends DeliveryRef {
  readonly number: number;
  /** Delay before the next attempt, in milliseconds; `null` when this one is the last. */
  readonly nextDelayMs: number | null;
  readonly trigger: 'scheduled' | 'manual';
  /** It holds a workflow task meanwhile: a receiver that takes long is answered for by a later call. */
  readonly inline?: true;
  /** No execution asks for it: it can't come back with a place. */
  readonly express?: true;
  /** The place in the endpoint's rate that an earlier call gave. */
  readonly placeAtMs?: number;
}

/** The activities, as the workflow sees them. */
export interface DeliveryActivities {
  /** Makes one attempt, at most once for each number: a repeated call returns the recorded answer. */
  attemptDelivery(input: AttemptInput): Promise<AttemptOutcome>;
  /**
   * Writes down that the execution was told to end, by an operator in Temporal or after the record.
   *
   * @returns true: the record says now that this run is over. Earlier workers return nothing
   */
  recordCancelled(ref: DeliveryRef): Promise<boolean>;
}

/** How a finished delivery's workflow ends, unless it fails. */
export interface DeliverEventResult {
  readonly state: 'delivered' | 'cancelled';
  readonly attempts: number;
}

/** Id of the workflow that keeps the promise for one delivery. The same ids can't start it twice. */
export function deliveryWorkflowId({ eventId, endpointId, run }: DeliveryRef): string {
  return run === 1 ? `delivery/${eventId}/${endpointId}` : `delivery/${eventId}/${endpointId}/${run}`;
}

/** Id of a delivery in the API: `<event_id>.<endpoint_id>`. */
export function deliveryId({ eventId, endpointId }: Omit<DeliveryRef, 'run'>): string {
  return `${eventId}.${endpointId}`;
}
