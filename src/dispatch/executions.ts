import { defineSearchAttributeKey, TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import {
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
import { SET_BACK_MS } from '../domain/clock-set-back';
import { MAX_RETRY_AFTER_MS } from '../domain/retry-after';
import type { DueDelivery } from './dispatch-store';
import type { DeliveryStore, KnownDelivery } from '../record/delivery-store';
import type { RetrySchedule } from '../domain/retry-schedule';
import { inSpan, SpanKind, startSpan } from '../platform/tracing';
import { isAlreadyStarted, isWorkflowNotFound, type TemporalLink } from '../platform/temporal';

/** An accepted delivery that must be sent, or whose execution must be started. */
export interface DeliveryStart {
  readonly ref: DeliveryRef;
  readonly accountId: string;
  readonly eventType: string;
  readonly url: string;
  /** The trace of the event. */
  readonly traceparent?: string | undefined;
  /** 1, or the attempt to continue from. */
  readonly firstAttempt: number;
  /** The wait before that attempt, in milliseconds. */
  readonly firstDelayMs: number;
  /** The destination's own schedule; undefined for the default one. */
  readonly schedule?: RetrySchedule | undefined;
  /**
   * Names the execution that gave it back to the gate, if no other was started since: it is about to end, if it still
   * runs. As stored in `look_at`.
   */
  readonly givenBack?: Date | undefined;
  /**
   * `claimed`: this process has claimed it, makes the attempt, and records the start, as soon as the execution exists.
   * `started`: it exists, and continues after the attempt. `tried`: the delivery comes from the express queue, and does
   * not return.
   */
  readonly stage?: 'claimed' | 'started' | 'tried' | undefined;
  /**
   * Set if the delivery was inserted with this process's claim: nobody else has claimed its attempt. The data from the
   * ingest, or `waited`: it was dropped, and is read from MongoDB again.
   */
  readonly known?: KnownDelivery | 'waited' | undefined;
  /** When the data of `known` was new, by `performance.now()`. */
  readonly knownAt?: number | undefined;
}

export type Executions = ReturnType<typeof createExecutions>;

/**
 * The executions of deliveries in Temporal: starts and signals them. The record in MongoDB changes before any signal.
 * All functions reject while Temporal is away.
 */
export function createExecutions(deps: {
  temporal: TemporalLink;
  deliveries: Pick<DeliveryStore, 'markStarted' | 'takeStart' | 'cancel'>;
  logger: Logger;
  schedule: RetrySchedule;
  /** Whether this process runs a worker on the same connection, which may take the first task at once. */
  eager: boolean;
}) {
  const signal = async (ref: DeliveryRef, name: string, args: unknown[]): Promise<boolean> => {
    try {
      await deps.temporal.call(({ workflow }) => workflow.getHandle(deliveryWorkflowId(ref)).signal(name, ...args));
      return true;
    } catch (error) {
      if (isWorkflowNotFound(error)) return false;
      throw error;
    }
  };
  /** @returns false if the workflow id is in use, or was used before and the policy rejects that */
  const startExecution = async (delivery: DeliveryStart, reuse: WorkflowIdReusePolicy): Promise<boolean> => {
    const options = {
      taskQueue: DELIVERY_TASK_QUEUE,
      workflowId: deliveryWorkflowId(delivery.ref),
      args: [inputOf(delivery, delivery.schedule ?? deps.schedule)],
      workflowIdReusePolicy: reuse,
      typedSearchAttributes: searchAttributesOf(delivery),
      staticSummary: `${delivery.eventType} → ${new URL(delivery.url).host}`,
      // A tenant's replays get the share of one more tenant, so live events don't wait for them.
      priority: { fairnessKey: delivery.ref.run === 1 ? delivery.accountId : `${delivery.accountId}/replays` },
      requestEagerStart: deps.eager,
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
        await deps.temporal.call(({ workflow }) => workflow.start(DELIVERY_WORKFLOW, options));
        return true;
      } catch (error) {
        if (isAlreadyStarted(error)) return false;
        throw error;
      }
    });
  };
  return {
    /**
     * Resolves when the execution is started, by this call or an earlier one. While the execution that gave the delivery
     * back has not ended, it starts nothing: the delivery stays due, and the sweeper tries again. Of two calls for a
     * delivery that was given back, one starts its next execution.
     *
     * @returns false if somebody has ended the delivery's last execution in Temporal: then it is recorded as cancelled
     */
    async start(delivery: DeliveryStart): Promise<boolean> {
      // Nearly every delivery has no execution yet. The others cost two calls more.
      if (!(await startExecution(delivery, WorkflowIdReusePolicy.REJECT_DUPLICATE))) {
        const status = await deps.temporal.statusOf(deliveryWorkflowId(delivery.ref));
        if (status === 'TERMINATED' || status === 'CANCELLED') {
          if (await deps.deliveries.cancel(delivery.ref))
            deps.logger.info({ ...delivery.ref, status }, 'recorded a cancel made in Temporal');
          return false;
        }
        // Another process may start it too. Without the take, the later start would also follow an execution of the
        // earlier one that somebody has ended since the look.
        const { ref, givenBack } = delivery;
        if (status !== 'RUNNING' && (!givenBack || (await deps.deliveries.takeStart(ref, givenBack))))
          await startExecution(delivery, WorkflowIdReusePolicy.ALLOW_DUPLICATE);
        if (givenBack) return true;
      }
      // A lost record costs one more start, which the workflow id rejects.
      if (delivery.stage !== 'claimed')
        await deps.deliveries.markStarted(delivery.ref, delivery.givenBack).catch(() => undefined);
      return true;
    },
    /** Makes attempt `number` now. @returns false when the run has no running execution */
    retryNow: (ref: DeliveryRef, number: number) => signal(ref, RETRY_NOW_SIGNAL, [number]),
    /** Wakes an execution that need not wait any longer. @returns false when the run has no running execution */
    cancel: (ref: DeliveryRef) => signal(ref, CANCEL_SIGNAL, []),
  };
}

/**
 * The start of a destination as MongoDB has it: from its next attempt, after the rest of its wait.
 *
 * @param now the database's clock
 */
export function startOf({ event, destination }: DueDelivery, now: Date): DeliveryStart {
  return {
    ref: { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run },
    accountId: event.account_id,
    eventType: event.type,
    url: destination.url,
    traceparent: event.traceparent,
    firstAttempt: destination.attempt_count + 1,
    firstDelayMs: Math.max(0, (destination.next_attempt_at?.getTime() ?? 0) - now.getTime()),
    schedule: destination.schedule_ms,
    ...(destination.dispatch === 'due' && destination.look_at && { givenBack: destination.look_at }),
  };
}

function inputOf({ ref, firstAttempt, firstDelayMs }: DeliveryStart, schedule: RetrySchedule): DeliverEventInput {
  // A schedule that an operator shortened meanwhile still leaves one attempt, with a number not used yet.
  const missing = Math.max(0, firstAttempt - schedule.length);
  const whole = [...schedule, ...Array<number>(missing).fill(0)];
  const scheduledMs = whole[firstAttempt - 1]!;
  // Before the first attempt, no answer can have asked for more than the schedule.
  const longestMs = firstAttempt === 1 ? scheduledMs : Math.max(scheduledMs, MAX_RETRY_AFTER_MS);
  const wasSetBack = firstDelayMs > longestMs + SET_BACK_MS;
  return { ...ref, schedule: whole, firstAttempt, firstDelayMs: wasSetBack ? scheduledMs : firstDelayMs };
}

function searchAttributesOf({ ref, accountId, eventType }: DeliveryStart): TypedSearchAttributes {
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
