import { defineSearchAttributeKey, TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { DELIVERY_TASK_QUEUE } from '../domain/delivery-contract';
import {
  REPLAY_CANCELLED_SIGNAL,
  REPLAY_WORKFLOW,
  replayWorkflowId,
  type ReplayDeliveriesInput,
} from '../domain/replay-contract';
import { isAlreadyStarted, type TemporalLink } from '../platform/temporal';
import type { ReplayJob, ReplayStore } from '../replays/store';

/** Starts the workflows of bulk replays. */
export interface ReplayStarter {
  /** Resolves when the workflow runs, by this call or an earlier one. Rejects when Temporal is away. */
  start(job: Pick<ReplayJob, '_id' | 'account_id'>): Promise<void>;
  /** Wakes the workflow of a job that the record says is cancelled. Rejects when Temporal is away, or it has ended. */
  cancelled(jobId: string): Promise<void>;
}

const ACCOUNT_ID = defineSearchAttributeKey('EverpostAccountId', 'KEYWORD');

export function createReplayStarter(deps: {
  temporal: TemporalLink;
  replays: Pick<ReplayStore, 'markStarted'>;
}): ReplayStarter {
  return {
    async start({ _id: jobId, account_id: accountId }) {
      const input: ReplayDeliveriesInput = { jobId };
      try {
        await deps.temporal.call(({ workflow }) =>
          workflow.start(REPLAY_WORKFLOW, {
            taskQueue: DELIVERY_TASK_QUEUE,
            workflowId: replayWorkflowId(jobId),
            // An execution that ended although the job did not is begun anew: what is done is in MongoDB.
            workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
            args: [input],
            typedSearchAttributes: new TypedSearchAttributes([{ key: ACCOUNT_ID, value: accountId }]),
            staticSummary: `bulk replay ${jobId}`,
            priority: { fairnessKey: `${accountId}/replays` },
          }),
        );
      } catch (error) {
        if (!isAlreadyStarted(error)) throw error;
      }
      await deps.replays.markStarted(jobId);
    },
    async cancelled(jobId) {
      await deps.temporal.call(({ workflow }) =>
        workflow.getHandle(replayWorkflowId(jobId)).signal(REPLAY_CANCELLED_SIGNAL),
      );
    },
  };
}
