"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryStarter = createDeliveryStarter;
exports.startOf = startOf;
const common_1 = require("@temporalio/common");
const delivery_contract_1 = require("../domain/delivery-contract");
const clock_set_back_1 = require("../domain/clock-set-back");
const retry_after_1 = require("../domain/retry-after");
const retry_schedule_1 = require("../domain/retry-schedule");
const temporal_1 = require("../platform/temporal");
/** Starts delivery workflows. */
function createDeliveryStarter(deps) {
    return {
        /** Resolves when the workflow is started, by this call or an earlier one. Rejects when Temporal is away. */
        async start(delivery) {
            const options = {
                taskQueue: delivery_contract_1.DELIVERY_TASK_QUEUE,
                workflowId: (0, delivery_contract_1.deliveryWorkflowId)(delivery.ref),
                args: [inputOf(delivery, delivery.schedule ?? deps.schedule)],
                // One that was held has an execution that ended. Where all is done the new one finds so in the record, and ends.
                workflowIdReusePolicy: common_1.WorkflowIdReusePolicy.ALLOW_DUPLICATE,
                ...(delivery.takesOver && { workflowIdConflictPolicy: common_1.WorkflowIdConflictPolicy.TERMINATE_EXISTING }),
                typedSearchAttributes: searchAttributesOf(delivery),
                staticSummary: `${delivery.eventType} → ${new URL(delivery.url).host}`,
                priority: { fairnessKey: fairnessKeyOf(delivery) },
                requestEagerStart: deps.eager,
            };
            try {
                await deps.temporal.call(({ workflow }) => workflow.start(delivery_contract_1.DELIVERY_WORKFLOW, options));
            }
            catch (error) {
                if (!(0, temporal_1.isAlreadyStarted)(error))
                    throw error;
            }
            await deps.deliveries.markStarted(delivery.ref);
        },
    };
}
/** A tenant's replays share the slots with everybody as one more tenant's deliveries would: live events don't wait for them. */
function fairnessKeyOf({ accountId, ref }) {
    return ref.run === 1 ? accountId : `${accountId}/replays`;
}
/**
 * The start of a destination as MongoDB knows it: from its next attempt, after what is left of its wait.
 *
 * @param now the database's clock
 */
function startOf({ event, destination }, now) {
    return {
        ref: { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run },
        accountId: event.account_id,
        eventType: event.type,
        url: destination.url,
        firstAttempt: destination.attempt_count + 1,
        firstDelayMs: Math.max(0, (destination.next_attempt_at?.getTime() ?? 0) - now.getTime()),
        // Events were accepted without a least delay, and may be replayed for as long as they are kept.
        schedule: destination.schedule_ms && (0, retry_schedule_1.withLeastDelays)(destination.schedule_ms, 1_000),
        ...(destination.look_at && { takesOver: true }),
    };
}
function inputOf({ ref, firstAttempt, firstDelayMs }, schedule) {
    // A schedule that an operator shortened meanwhile still leaves one attempt, under a number that was not made yet.
    const missing = Math.max(0, firstAttempt - schedule.length);
    const whole = [...schedule, ...Array(missing).fill(0)];
    const scheduledMs = whole[firstAttempt - 1];
    // No answer came before the first attempt that could have asked for more than the schedule.
    const longestMs = firstAttempt === 1 ? scheduledMs : Math.max(scheduledMs, retry_after_1.MAX_RETRY_AFTER_MS);
    const wasSetBack = firstDelayMs > longestMs + clock_set_back_1.SET_BACK_MS;
    return { ...ref, schedule: whole, firstAttempt, firstDelayMs: wasSetBack ? scheduledMs : firstDelayMs };
}
function searchAttributesOf({ ref, accountId, eventType }) {
    const values = {
        EverpostAccountId: accountId,
        EverpostEventId: String(ref.eventId),
        EverpostEndpointId: ref.endpointId,
        EverpostEventType: eventType,
    };
    return new common_1.TypedSearchAttributes(Object.entries(values).map(([name, value]) => ({ key: (0, common_1.defineSearchAttributeKey)(name, 'KEYWORD'), value })));
}
//# sourceMappingURL=start-delivery.js.map