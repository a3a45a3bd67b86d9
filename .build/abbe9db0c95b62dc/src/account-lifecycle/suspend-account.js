"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.suspendAccount = suspendAccount;
exports.resumeAccount = resumeAccount;
const errors_1 = require("../domain/errors");
const manage_accounts_1 = require("../accounts/manage-accounts");
/**
 * Suspends an account. From its next call every process answers 403 (`account_suspended`), in the
 * API and in the dashboard; streams end within a second; what is not sent yet is held. A second call changes nothing.
 *
 * @throws NotFoundError for an unknown account
 */
async function suspendAccount(deps, accountId, by) {
    const account = await deps.suspensions.suspend(accountId, by);
    if (!account)
        throw (0, manage_accounts_1.accountNotFound)(accountId);
    return account;
}
/**
 * Resumes a suspended account: its keys work again, and its held deliveries are sent, the oldest first. Its users
 * have to sign in again. A second call changes nothing.
 *
 * @throws NotFoundError for an unknown account
 * @throws ConflictError for one that is being deleted
 */
async function resumeAccount(deps, accountId, by) {
    const account = await deps.suspensions.resume(accountId, by);
    if (!account)
        throw (0, manage_accounts_1.accountNotFound)(accountId);
    if (account.deleting_since) {
        throw new errors_1.ConflictError(`The account ${accountId} is being deleted; it can't be resumed.`, 'account_being_deleted');
    }
    return account;
}
//# sourceMappingURL=suspend-account.js.map