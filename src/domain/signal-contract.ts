import type { CANCEL_SIGNAL, WAKE_SIGNAL } from './delivery-contract';

/** Workflow type that signals all deliveries of an endpoint. */
export const SIGNAL_WORKFLOW = 'signalDeliveries';

/** Which deliveries are told what. Ids only. */
export interface SignalDeliveriesInput {
  readonly accountId: string;
  readonly endpointId: string;
  /** `wake`: what is held goes on. `cancel`: what the record says is cancelled ends in Temporal too. */
  readonly signal: typeof WAKE_SIGNAL | typeof CANCEL_SIGNAL;
  /** Where to go on; null is the oldest delivery. */
  readonly cursor: string | null;
  /** How many were told before. */
  readonly signalled: number;
}

/** What became of one page of deliveries. */
export interface SignalPage {
  /** Where the next page begins; null after the last one. */
  readonly cursor: string | null;
  readonly signalled: number;
}

/** The activities, as the workflow sees them. */
export interface SignalActivities {
  /** Signals one page. A page that is signalled again changes nothing: both signals may come twice. */
  signalPage(input: SignalDeliveriesInput): Promise<SignalPage>;
}

/**
 * Id of the workflow that tells an endpoint's deliveries of one change.
 *
 * @param version of the endpoint after the change: the same change is told once
 */
export function signalWorkflowId({ endpointId, signal }: SignalDeliveriesInput, version: number): string {
  return `signal/${endpointId}/${signal}/${version}`;
}
