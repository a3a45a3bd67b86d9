import type { AttemptErrorCode } from './delivery-state';

/** The task queue where deliveries start; first attempts run inline, as local activities. */
export const DELIVERY_TASK_QUEUE = 'everpost-deliveries';

/** The task queue for attempts that may be slow: the last answer was, or the inline attempt did not end soon. */
export const SLOW_TASK_QUEUE = 'everpost-slow-attempts';

/** Requests under way to one endpoint from one process. */
export const MAX_PER_DESTINATION = 64;

/** The values of `FIRST_ATTEMPT`: who makes first attempts. */
export const FIRST_ATTEMPT_MODES = ['auto', 'workflow', 'express'] as const;
export type FirstAttemptMode = (typeof FIRST_ATTEMPT_MODES)[number];

/**
 * `workflow`: an execution makes it. `express`: the process that accepted the event makes it, and starts an execution for
 * what is left to do.
 */
export type FirstAttemptWay = Exclude<FirstAttemptMode, 'auto'>;

/** The workflow type that delivers one event to one destination. */
export const DELIVERY_WORKFLOW = 'deliverEvent';

/** Signals of that workflow. */
export const RETRY_NOW_SIGNAL = 'retryNow';
export const CANCEL_SIGNAL = 'cancel';

/** Search attributes of a delivery's execution, all of type Keyword. */
export const SEARCH_ATTRIBUTES = [
  'EverpostAccountId',
  'EverpostEventId',
  'EverpostEndpointId',
  'EverpostEventType',
] as const;

/**
 * Whether a run needs an execution, or an attempt by a process. `due`: it needs one now. `held`: its endpoint's gate is
 * closed. `done`: it has one, or is finished.
 */
export type Dispatch = 'due' | 'held' | 'done';

/** The reasons that close a gate until someone opens it. */
export const CLOSED_REASONS = ['suspended', 'paused', 'disabled', 'unverified'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** What closes an endpoint's gate. */
export interface ClosableEndpoint {
  readonly status: 'active' | 'paused' | 'disabled';
  /** Not shown to callers. */
  readonly account_suspended?: true;
  readonly verification?: { readonly state: 'unverified' | 'verified' } | undefined;
}

/** Why an endpoint's gate is closed until someone opens it; undefined if it is not. */
export function closedBy(endpoint: ClosableEndpoint): ClosedReason | undefined {
  if (endpoint.account_suspended) return 'suspended';
  if (endpoint.status !== 'active') return endpoint.status;
  return endpoint.verification?.state === 'unverified' ? 'unverified' : undefined;
}

/**
 * Why a gate holds a delivery. `suspended`: the account is suspended. `paused`, `disabled`: the endpoint's status.
 * `unverified`: its host has not answered its challenge. `hanging`: it answers nothing. `at_cap`: it has as many
 * requests under way as it may. `at_rate`: its `max_per_second`, the rate of a resume, or the attempts a minute to its receiver. `in_line`:
 * an earlier event of an ordered endpoint comes first.
 */
export const HELD_REASONS = [...CLOSED_REASONS, 'hanging', 'at_cap', 'at_rate', 'in_line'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

/** One run of one delivery: a replay is a new run. */
export interface DeliveryRef {
  readonly eventId: number;
  readonly endpointId: string;
  /** From 1. */
  readonly run: number;
}

/** The workflow's input. Ids and numbers only: Temporal stores no data, no secrets and no URLs. */
export interface DeliverEventInput extends DeliveryRef {
  /** Delays before each attempt, in milliseconds, fixed at the start of the delivery. */
  readonly schedule: readonly number[];
  /**
   * 1, or the attempt to continue from: after an express first attempt, after the delivery was held, or after Temporal
   * lost it.
   */
  readonly firstAttempt: number;
  /** Wait before `firstAttempt`, in milliseconds. */
  readonly firstDelayMs: number;
  /**
   * The answer to the attempt before `firstAttempt`, which a process made. If it finished the delivery, the execution
   * only shows it.
   */
  readonly last?: AttemptAnswer;
}

/** The receiver's answer to one attempt, or the failure. */
export interface AttemptAnswer {
  readonly kind: 'answered';
  readonly number: number;
  readonly succeeded: boolean;
  readonly startedAtMs: number;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  readonly errorCode: AttemptErrorCode | null;
  /** The wait before the next attempt, if its jitter or the receiver's `Retry-After` made it longer than the schedule's. */
  readonly nextDelayMs?: number;
}

/**
 * The outcome of an attempt. `held`: nothing was sent, and the delivery waits in MongoDB for its endpoint's gate.
 * `ended`: the delivery needs nothing more (cancelled, deleted, or finished by another run).
 */
export type AttemptOutcome =
  | AttemptAnswer
  | { readonly kind: 'held'; readonly reason: HeldReason }
  | { readonly kind: 'ended'; readonly state: 'cancelled' | 'delivered' | 'failed' };

/** One attempt of one delivery. */
export interface AttemptInput extends DeliveryRef {
  readonly number: number;
  /** Delay before the next attempt, in milliseconds; `null` when this one is the last. */
  readonly nextDelayMs: number | null;
  readonly trigger: 'scheduled' | 'manual';
  /** The call holds a workflow task meanwhile: if the receiver is slow, it fails, and a later call gets the answer. */
  readonly inline?: true;
  /** A process makes it outside of an execution. */
  readonly express?: true;
  /** An execution shows it, even if it finishes the delivery. */
  readonly shown?: true;
}

/** The activities that the workflow calls. */
export interface DeliveryActivities {
  /** Makes one attempt, at most once for each number: a repeated call returns the recorded answer. */
  attemptDelivery(input: AttemptInput): Promise<AttemptOutcome>;
  /** Records that the execution was cancelled in Temporal: this run is over. */
  recordCancelled(ref: DeliveryRef): Promise<void>;
}

/** How a delivery's workflow ends, unless it fails. A held delivery continues in a new execution, from the record. */
export interface DeliverEventResult {
  readonly state: 'delivered' | 'cancelled' | 'held';
  readonly attempts: number;
  readonly reason?: HeldReason;
}

/** The id of the workflow for one delivery. A second start with the same ids is rejected. */
export function deliveryWorkflowId({ eventId, endpointId, run }: DeliveryRef): string {
  return run === 1 ? `delivery/${eventId}/${endpointId}` : `delivery/${eventId}/${endpointId}/${run}`;
}

/** The delivery of a workflow. @returns undefined for an id that `deliveryWorkflowId` did not make */
export function deliveryOfWorkflowId(id: string): DeliveryRef | undefined {
  const [, eventId, endpointId, run] = /^delivery\/(\d{1,16})\/(ep_[0-9a-z]+)(?:\/(\d{1,9}))?$/.exec(id) ?? [];
  return endpointId === undefined ? undefined : { eventId: Number(eventId), endpointId, run: Number(run ?? 1) };
}

/** A delivery in the fields of a log line. */
export function logFieldsOf({ eventId, endpointId, run }: DeliveryRef) {
  return { event_id: eventId, endpoint_id: endpointId, run };
}

/** Id of a delivery in the API: `<event_id>.<endpoint_id>`. */
export function deliveryId({ eventId, endpointId }: Omit<DeliveryRef, 'run'>): string {
  return `${eventId}.${endpointId}`;
}
