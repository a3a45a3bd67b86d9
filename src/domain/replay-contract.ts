import type { DeliveryState } from './delivery-state';

/** Workflow type of one bulk replay. */
export const REPLAY_WORKFLOW = 'replayDeliveries';

/** Signal of that workflow: the record says that the job is cancelled. */
export const REPLAY_CANCELLED_SIGNAL = 'replayCancelled';

/** States of a bulk replay, as the API shows them. */
export const REPLAY_STATES = ['running', 'completed', 'cancelled', 'failed'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** States of deliveries that can be replayed. */
export const REPLAYABLE_STATES = ['failed', 'cancelled', 'delivered'] as const satisfies readonly DeliveryState[];
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

/** Deliveries a second, where the caller names none, and the most that can be asked for. */
export const DEFAULT_REPLAY_RATE = 50;
export const MAX_REPLAY_RATE = 500;

/** A page of a replay is what it may send in this time: so long may deliveries be early or late. */
export const REPLAY_PAGE_MS = 2_000;
/** And not more than this, so that a page is a matter of seconds, whatever the rate. */
const MAX_PAGE = 200;

/** The workflow's input. Ids and numbers only. */
export interface ReplayDeliveriesInput {
  readonly jobId: string;
  /** In a later execution of a long job: the deliveries are counted, and no page may begin before. */
  readonly notBeforeMs?: number;
}

/** What became of one page. */
export interface ReplayPage {
  /** Deliveries that were replayed or skipped. */
  readonly taken: number;
  readonly ratePerSecond: number;
  /** For the operator, who reads `120 of 300 replayed`. */
  readonly replayed: number;
  readonly matched: number;
}

/** The activities, as the workflow sees them. */
export interface ReplayActivities {
  /** Counts what the job will replay. */
  countReplay(jobId: string): Promise<void>;
  /** Replays one page; a page that was begun and not finished first. @returns null when the job has ended */
  replayPage(jobId: string): Promise<ReplayPage | null>;
  /** Writes down that an operator cancelled the execution in Temporal. */
  recordReplayCancelled(jobId: string): Promise<void>;
}

/** Id of a job's workflow. */
export function replayWorkflowId(jobId: string): string {
  return `replay/${jobId}`;
}

/** How many deliveries a page has. */
export function replayPageSize(ratePerSecond: number): number {
  return Math.min(MAX_PAGE, Math.max(1, Math.ceil((ratePerSecond * REPLAY_PAGE_MS) / 1_000)));
}
