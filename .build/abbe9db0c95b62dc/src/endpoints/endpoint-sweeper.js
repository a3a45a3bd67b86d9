"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointSweeper = createEndpointSweeper;
const periodic_1 = require("../platform/periodic");
const rotate_secret_1 = require("./rotate-secret");
const INTERVAL_MS = 5_000;
/** Ends rotations of signing secrets after their time. Part of the worker role; safe in any number of workers. */
function createEndpointSweeper({ due, logger }) {
    const failure = 'rotations of signing secrets could not be ended; the next look tries again';
    return (0, periodic_1.runPeriodically)({ intervalMs: INTERVAL_MS, logger, failure }, async () => {
        const activated = await due.activateSecrets(rotate_secret_1.ROTATION_MS);
        if (activated > 0)
            logger.info({ activated }, 'ended rotations of signing secrets');
    });
}
//# sourceMappingURL=endpoint-sweeper.js.map