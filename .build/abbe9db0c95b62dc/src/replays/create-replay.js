"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createReplay = createReplay;
const errors_1 = require("../domain/errors");
const find_endpoint_1 = require("../endpoints/find-endpoint");
const ids_1 = require("../platform/ids");
/** An account's bulk replays share its deliveries; more of them at a time get nothing done sooner. */
const MOST_RUNNING = 10;
/**
 * Takes a bulk replay in. It is durable when this resolves; a worker runs it.
 * What it will send is settled by now: deliveries that finish later are not among them, its own least of all.
 *
 * @throws NotFoundError when the endpoint of the filter does not exist, or is another account's
 * @throws ConflictError when ten replays of the account are running
 */
async function createReplay(deps, { accountId, now }, input) {
    if (input.endpointId !== undefined)
        await (0, find_endpoint_1.findEndpoint)(deps, accountId, input.endpointId);
    if ((await deps.replays.countRunning(accountId)) >= MOST_RUNNING) {
        throw new errors_1.ConflictError(`This account has ${MOST_RUNNING} replays running, which is the limit. Wait for one, or cancel it.`, 'replay_limit_reached');
    }
    const job = newJob(accountId, now, input);
    await deps.replays.insert(job);
    return job;
}
function newJob(accountId, now, input) {
    return {
        _id: (0, ids_1.newId)('rpl'),
        account_id: accountId,
        filter: {
            state: input.state,
            endpoint_id: input.endpointId ?? null,
            type: input.type ?? null,
            after: input.after ?? null,
            before: input.before ?? null,
            completed_after: input.completedAfter ?? null,
            completed_before: input.completedBefore ?? null,
        },
        rate_per_second: input.ratePerSecond,
        state: 'running',
        created_at: now,
        finished_at: null,
        matched: null,
        replayed: 0,
        skipped: 0,
        pages: 0,
        page: null,
        position: null,
        is_exhausted: false,
        claimed_by: null,
        due_at: now,
    };
}
//# sourceMappingURL=create-replay.js.map