"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listUsage = listUsage;
const manage_accounts_1 = require("../accounts/manage-accounts");
const errors_1 = require("../domain/errors");
const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
/**
 * What an account used in the last days, today (UTC) included: calls by day, key and operation, newest day first.
 *
 * @throws InvalidRequestError for a number of days that is not 1 to 400
 * @throws NotFoundError for an unknown account
 */
async function listUsage(deps, { accountId, days }) {
    if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
        throw new errors_1.InvalidRequestError(`The number of days is 1 to ${MAX_DAYS}.`, 'invalid_days');
    }
    await (0, manage_accounts_1.requireAccount)(deps.accounts, accountId);
    const since = new Date(deps.clock() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    return deps.usage.list(accountId, since);
}
//# sourceMappingURL=list-usage.js.map