import { defineSearchAttributeKey, TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { DELIVERY_TASK_QUEUE } from '../domain/delivery-contract';
import { SIGNAL_WORKFLOW, signalWorkflowId, type SignalDeliveriesInput } from '../domain/signal-contract';
import type { Logger } from '../platform/logger';
import { isAlreadyStarted, type TemporalLink } from '../platform/temporal';

/** Has an endpoint's deliveries told of a change, as a durable job. */
export interface SignalStarter {
  /**
   * Starts the job, once for each version of the endpoint. Never rejects: the change is in MongoDB, where deliveries find
   * it by themselves, later, should Temporal be away now.
   *
   * @returns whether it is started, by this call or an earlier one
   */
  start(which: { accountId: string; endpointId: string }, signal: 'wake' | 'cancel', version: number): Promise<boolean>;
}

/** A caller waits for this. */
const START_TIMEOUT_MS = 2_000;

const ACCOUNT_ID = defineSearchAttributeKey('EverpostAccountId', 'KEYWORD');
const ENDPOINT_ID = defineSearchAttributeKey('EverpostEndpointId', 'KEYWORD');

export function createSignalStarter(deps: { temporal: TemporalLink; logger: Logger }): SignalStarter {
  return {
    async start({ accountId, endpointId }, signal, version) {
      const input: SignalDeliveriesInput = { accountId, endpointId, signal, cursor: null, signalled: 0 };
      try {
        await deps.temporal.call(
          ({ workflow }) =>
            workflow.start(SIGNAL_WORKFLOW, {
              taskQueue: DELIVERY_TASK_QUEUE,
              workflowId: signalWorkflowId(input, version),
              workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
              args: [input],
              typedSearchAttributes: new TypedSearchAttributes([
                { key: ACCOUNT_ID, value: accountId },
                { key: ENDPOINT_ID, value: endpointId },
              ]),
              priority: { fairnessKey: accountId },
              staticSummary: `${signal} the deliveries of ${endpointId}`,
            }),
          START_TIMEOUT_MS,
        );
        return true;
      } catch (error) {
        if (isAlreadyStarted(error)) return true;
        deps.logger.warn({ err: error, endpoint_id: endpointId, signal }, 'deliveries were not told of a change yet');
        return false;
      }
    },
  };
}
