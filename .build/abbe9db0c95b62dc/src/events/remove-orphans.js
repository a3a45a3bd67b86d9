"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createOrphanRemoval = createOrphanRemoval;
const periodic_1 = require("../platform/periodic");
const INTERVAL_MS = 60_000;
const LEASE_MS = 180_000;
const PAGE = 2_000;
/** Pages of a round: the job is a walk through the attempts that goes on where the last round ended. */
const PAGES_IN_ROUND = 50;
/**
 * MongoDB expires events by itself; their attempts have no date that says when their event is done, and must not go
 * before it. So they follow it: one worker at a time walks through them by event id, over an index.
 */
function createOrphanRemoval(deps) {
    const { intervalMs = INTERVAL_MS, logger } = deps;
    const failure = 'attempts of expired events could not be removed; the next round tries again';
    let after = 0;
    return (0, periodic_1.runPeriodically)({ intervalMs, logger, failure }, async (stop) => {
        for (let page = 0; page < PAGES_IN_ROUND && !stop.aborted; page += 1) {
            if (!(await deps.dispatch.holdLease('remove-orphans', deps.owner, LEASE_MS)))
                return;
            const { next, removed } = await deps.retention.removeOrphans({ after, limit: PAGE });
            if (removed > 0)
                logger.debug({ removed }, 'attempts of expired events were removed');
            after = next ?? 0;
            if (next === null)
                return;
        }
    });
}
//# sourceMappingURL=remove-orphans.js.map