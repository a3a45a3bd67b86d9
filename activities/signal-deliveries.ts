import type { EndpointDeliveryStore } from '../src/deliveries/endpoint-deliveries-store';
import type { DeliveryStore } from '../src/deliveries/store';
import { CANCEL_SIGNAL, WAKE_SIGNAL, type DeliveryRef } from '../src/domain/delivery-contract';
import type { DeliveryState } from '../src/domain/delivery-state';
import type { SignalActivities, SignalDeliveriesInput } from '../src/domain/signal-contract';
import type { EndpointStore } from '../src/endpoints/store';

/** What telling an endpoint's deliveries needs. */
export interface SignalDeps {
  readonly deliveries: Pick<DeliveryStore, 'cancelAllOf'>;
  readonly endpointDeliveries: Pick<EndpointDeliveryStore, 'pageOfEndpoint'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  /** Each resolves to false when no workflow runs for the delivery, and throws when Temporal is away. */
  readonly signals: {
    wake(ref: DeliveryRef): Promise<boolean>;
    cancel(ref: DeliveryRef): Promise<boolean>;
  };
}

/** So few that a page is told in seconds, and a retry repeats little. */
const PAGE = 500;
const IN_FLIGHT = 16;

/** Which deliveries each signal is for. */
const STATES: Record<SignalDeliveriesInput['signal'], readonly DeliveryState[]> = {
  [WAKE_SIGNAL]: ['pending', 'retrying'],
  // The record is changed first, so that is where they are found.
  [CANCEL_SIGNAL]: ['cancelled'],
};

/** Makes the activity that tells one page of an endpoint's deliveries, the oldest first. */
export function createSignalDeliveries(deps: SignalDeps): SignalActivities {
  return {
    async signalPage(input) {
      const { accountId, endpointId, signal, cursor } = input;
      if (signal === WAKE_SIGNAL) {
        const endpoint = await deps.endpoints.find(endpointId);
        // Paused again: those that were not told yet stay held.
        if (endpoint?.status !== 'active') return { cursor: null, signalled: 0 };
      } else if (cursor === null) {
        // What was accepted by a process that did not know yet that the endpoint is gone.
        await deps.deliveries.cancelAllOf({ accountId, endpointId });
      }
      const states = STATES[signal];
      const page = await deps.endpointDeliveries.pageOfEndpoint({
        accountId,
        endpointId,
        states,
        after: cursor,
        limit: PAGE,
      });
      const signalled = await signalAll(page.refs, deps.signals[signal]);
      return { cursor: page.cursor, signalled };
    },
  };
}

/**
 * Begins with the first ones. A lane ends with its first failure, and the others go on: one signal that gets lost holds
 * nobody up, and when Temporal is away it is soon noticed.
 *
 * @returns how many were told; where no workflow runs, none is needed
 * @throws whatever went wrong first, after the others were told
 */
async function signalAll(refs: readonly DeliveryRef[], send: (ref: DeliveryRef) => Promise<boolean>): Promise<number> {
  const queue = [...refs];
  let told = 0;
  const lane = async (): Promise<void> => {
    for (let ref = queue.shift(); ref; ref = queue.shift()) if (await send(ref)) told += 1;
  };
  const lanes = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, lane));
  const failed = lanes.find((it) => it.status === 'rejected');
  if (failed) throw failed.reason;
  return told;
}
