"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliverySignals = createDeliverySignals;
const delivery_contract_1 = require("../domain/delivery-contract");
const temporal_1 = require("../platform/temporal");
/**
 * Signals to the workflows of deliveries. The record in MongoDB is changed before any of them.
 * Each resolves to false when the run has no running workflow, and rejects when Temporal is away.
 */
function createDeliverySignals(deps) {
    const signal = async (ref, name, args) => {
        try {
            await deps.temporal.call(({ workflow }) => workflow.getHandle((0, delivery_contract_1.deliveryWorkflowId)(ref)).signal(name, ...args));
            return true;
        }
        catch (error) {
            if ((0, temporal_1.isWorkflowNotFound)(error))
                return false;
            throw error;
        }
    };
    return {
        /** Pulls attempt `number` forward. */
        retryNow: (ref, number) => signal(ref, delivery_contract_1.RETRY_NOW_SIGNAL, [number]),
        /** Wakes a workflow that need not wait any longer: the delivery is cancelled. */
        cancel: (ref) => signal(ref, delivery_contract_1.CANCEL_SIGNAL, []),
    };
}
//# sourceMappingURL=signal-delivery.js.map