"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.getReplay = getReplay;
const errors_1 = require("../domain/errors");
/**
 * Finds an account's bulk replay.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
async function getReplay(deps, accountId, id) {
    const job = await deps.replays.find(id);
    if (!job || job.account_id !== accountId) {
        throw new errors_1.NotFoundError('There is no replay with this id.', 'replay_not_found');
    }
    return job;
}
//# sourceMappingURL=get-replay.js.map