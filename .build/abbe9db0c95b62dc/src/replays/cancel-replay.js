"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.cancelReplay = cancelReplay;
const errors_1 = require("../domain/errors");
const get_replay_1 = require("./get-replay");
/**
 * Ends a running bulk replay: no further delivery is begun. Those that it has begun go on.
 *
 * @throws NotFoundError when there is none, or it is another account's
 * @throws ConflictError when it has ended
 */
async function cancelReplay(deps, accountId, id) {
    await (0, get_replay_1.getReplay)(deps, accountId, id);
    const isCancelled = await deps.replays.end(id, 'cancelled');
    const job = await (0, get_replay_1.getReplay)(deps, accountId, id);
    if (!isCancelled)
        throw new errors_1.ConflictError(`This replay is ${job.state} already.`, 'replay_finished');
    return job;
}
//# sourceMappingURL=cancel-replay.js.map