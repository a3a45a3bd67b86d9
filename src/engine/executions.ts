import { defineSearchAttributeKey, TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import {
  logFieldsOf,
  CANCEL_SIGNAL,
  DELIVERY_TASK_QUEUE,
  DELIVERY_WORKFLOW,
  deliveryWorkflowId,
  RETRY_NOW_SIGNAL,
  type DeliverEventInput,
  type DeliveryRef,
  type SEARCH_ATTRIBUTES,
} from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import { isTooFarAhead } from '../domain/clock-set-back';
import { MAX_RETRY_AFTER_MS } from '../domain/retry-after';
import { MAX_RETRY_JITTER } from '../domain/retry-jitter';
import type { DeliveryStore } from '../stores/delivery-store';
import type { RetrySchedule } from '../domain/retry-schedule';
import { inSpan, SpanKind, startSpan } from '../platform/tracing';
import type { QueuedDelivery, ShowTask, StartTask } from './task';
import { isAlreadyStarted, isWorkflowNotFound, type TemporalLink } from '../platform/temporal';

interface ExecutionsDeps {
  readonly temporal: TemporalLink;
  readonly deliveries: Pick<DeliveryStore, 'markStarted' | 'takeStart' | 'cancel'>;
  readonly logger: Logger;
  readonly schedule: RetrySchedule;
  /** Whether this process runs a worker on the same connection, which may take the first task at once. */
  readonly eager: boolean;
}

export type Executions = ReturnType<typeof createExecutions>;

/**
 * The executions of deliveries in Temporal: starts and signals them. The record in MongoDB changes before any signal.
 * All functions reject while Temporal is away.
 */
export function createExecutions(deps: ExecutionsDeps) {
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
    /**
     * Resolves when the execution is started, by this call or an earlier one. While the execution that gave the delivery
     * back has not ended, it starts nothing: the delivery stays due, and the sweeper tries again. Of two calls for a
     * delivery that was given back, one starts its next execution.
     *
     * @returns false if an operator has ended the delivery's last execution in Temporal: then it is recorded as
     *   cancelled
     */
    async start(delivery: StartTask): Promise<boolean> {
      const input = inputOf(delivery, delivery.schedule ?? deps.schedule);
      // Nearly every delivery has no execution yet. The others cost two calls more.
      if (!(await startExecution(deps, delivery, input))) {
        const status = await deps.temporal.statusOf(deliveryWorkflowId(delivery.ref));
        if (status === 'TERMINATED' || status === 'CANCELLED') {
          if (await deps.deliveries.cancel(delivery.ref))
            deps.logger.info({ ...logFieldsOf(delivery.ref), status }, 'recorded a cancel made in Temporal');
          return false;
        }
        // Another process may start it too. Without the take, the later start would also follow an execution of the
        // earlier one that an operator has ended since the look.
        const { ref, givenBack } = delivery;
        if (status !== 'RUNNING' && (!givenBack || (await deps.deliveries.takeStart(ref, givenBack))))
          await startExecution(deps, delivery, input, WorkflowIdReusePolicy.ALLOW_DUPLICATE);
        if (givenBack) return true;
      }
      // A lost record costs one more start, which the workflow id rejects.
      const marked = deps.deliveries.markStarted(delivery.ref, delivery.givenBack).catch(() => undefined);
      // The attempt beside it doesn't wait for the record.
      if (!delivery.beside) await marked;
      return true;
    },
    /** Shows a delivery that this process has finished, by an execution that ends at once. A second one is not needed. */
    async show({ last, ...delivery }: ShowTask): Promise<void> {
      const schedule = delivery.schedule ?? deps.schedule;
      const input = { ...delivery.ref, schedule, firstAttempt: last.number + 1, firstDelayMs: 0, last };
      await startExecution(deps, delivery, input);
    },
    /** Makes attempt `number` now. @returns false when the run has no running execution */
    retryNow: (ref: DeliveryRef, number: number) => signal(ref, RETRY_NOW_SIGNAL, [number]),
    /** Wakes an execution that need not wait any longer. @returns false when the run has no running execution */
    cancel: (ref: DeliveryRef) => signal(ref, CANCEL_SIGNAL, []),
  };
}

/** @returns false if the workflow id is in use, or was used before and the policy rejects that */
async function startExecution(
  { temporal, eager }: ExecutionsDeps,
  delivery: QueuedDelivery,
  input: DeliverEventInput,
  reuse: WorkflowIdReusePolicy = WorkflowIdReusePolicy.REJECT_DUPLICATE,
): Promise<boolean> {
  const options = {
    taskQueue: DELIVERY_TASK_QUEUE,
    workflowId: deliveryWorkflowId(delivery.ref),
    args: [input],
    workflowIdReusePolicy: reuse,
    typedSearchAttributes: searchAttributesOf(delivery),
    staticSummary: `${delivery.eventType} → ${new URL(delivery.url).host}`,
    // A tenant's replays get the share of one more tenant, so live events don't wait for them.
    priority: { fairnessKey: delivery.ref.run === 1 ? delivery.accountId : `${delivery.accountId}/replays` },
    requestEagerStart: eager,
  };
  // Named as by Temporal's own interceptors.
  const attributes = { temporalWorkflowId: options.workflowId };
  const span = startSpan(
    `StartWorkflow:${DELIVERY_WORKFLOW}`,
    { kind: SpanKind.CLIENT, attributes },
    delivery.traceparent,
  );
  return inSpan(span, async () => {
    try {
      await temporal.call(({ workflow }) => workflow.start(DELIVERY_WORKFLOW, options));
      return true;
    } catch (error) {
      if (isAlreadyStarted(error)) return false;
      throw error;
    }
  });
}

function inputOf({ ref, firstAttempt, firstDelayMs, last }: StartTask, schedule: RetrySchedule): DeliverEventInput {
  // A schedule that an operator shortened meanwhile still leaves one attempt, with a number not used yet.
  const missing = Math.max(0, firstAttempt - schedule.length);
  const whole = [...schedule, ...Array<number>(missing).fill(0)];
  const scheduledMs = whole[firstAttempt - 1]!;
  // Before the first attempt, there is no jitter, and no answer can have asked for more than the schedule.
  const longestMs =
    firstAttempt === 1 ? scheduledMs : Math.max(scheduledMs * (1 + MAX_RETRY_JITTER), MAX_RETRY_AFTER_MS);
  return {
    ...ref,
    schedule: whole,
    firstAttempt,
    firstDelayMs: isTooFarAhead(firstDelayMs, longestMs) ? scheduledMs : firstDelayMs,
    ...(last && { last }),
  };
}

function searchAttributesOf({ ref, accountId, eventType }: QueuedDelivery): TypedSearchAttributes {
  const values: Record<(typeof SEARCH_ATTRIBUTES)[number], string> = {
    EverpostAccountId: accountId,
    EverpostEventId: String(ref.eventId),
    EverpostEndpointId: ref.endpointId,
    EverpostEventType: eventType,
  };
  return new TypedSearchAttributes(
    Object.entries(values).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
  );
}
