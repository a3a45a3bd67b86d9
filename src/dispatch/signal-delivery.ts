import { CANCEL_SIGNAL, deliveryWorkflowId, RETRY_NOW_SIGNAL, type DeliveryRef } from '../domain/delivery-contract';
import { isWorkflowNotFound, type TemporalLink } from '../platform/temporal';

export type DeliverySignals = ReturnType<typeof createDeliverySignals>;

/**
 * Signals to the workflows of deliveries. The record in MongoDB is changed before any of them.
 * Each resolves to false when the run has no running workflow, and rejects when Temporal is away.
 */
export function createDeliverySignals(deps: { temporal: TemporalLink }) {
  const signal = async (ref: DeliveryRef, name: string, args: unknown[]): Promise<boolean> => {
    try {
      await deps.temporal.call(({ workflow }) => workflow.getHandle(deliveryWorkflowId(ref)).signal(name, ...args));
      return true;
    } catch (error) {
      if (isWorkflowNotFound(error)) return false;
      throw error;
    }
  };
  return {
    /** Pulls attempt `number` forward. */
    retryNow: (ref: DeliveryRef, number: number) => signal(ref, RETRY_NOW_SIGNAL, [number]),
    /** Wakes a workflow that need not wait any longer: the delivery is cancelled. */
    cancel: (ref: DeliveryRef) => signal(ref, CANCEL_SIGNAL, []),
  };
}
