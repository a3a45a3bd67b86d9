"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createActivities = createActivities;
/** The activities with their dependencies, ready for a worker. `attempts` are the process's own: each is made once. */
function createActivities(deps, attempts) {
    return {
        attemptDelivery: (input) => (input.inline ? attempts.makeInline(input) : attempts.make(input)),
        async recordCancelled(ref) {
            await deps.deliveries.cancel(ref);
            // The next one in the endpoint's line may go.
            deps.lookAt(ref.endpointId);
        },
    };
}
//# sourceMappingURL=index.js.map