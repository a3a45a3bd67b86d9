"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSuspensionStore = createSuspensionStore;
exports.changeAccount = changeAccount;
const audit_store_1 = require("../accounts/audit-store");
const endpoint_store_1 = require("../record/endpoint-store");
const account_store_1 = require("../accounts/account-store");
/**
 * Suspends and resumes accounts. Each is one transaction, with its entry in the audit log.
 *
 * @param replays cancels an account's bulk replays
 */
function createSuspensionStore(db, replays) {
    const accounts = db.collection(account_store_1.ACCOUNTS_COLLECTION);
    const endpoints = db.collection(endpoint_store_1.ENDPOINTS_COLLECTION);
    const sessions = db.collection('sessions');
    return {
        /**
         * Suspends an account, by the database's clock, and cancels its bulk replays. A second call changes and records
         * nothing.
         *
         * Every process reads the suspension where it decides: on calls in the account's document, on attempts in the
         * endpoint's.
         *
         * @returns the account; null when there is none
         */
        suspend: (accountId, by) => changeAccount(db, { ...by, accountId, action: 'account.suspended', object: accountId }, async (session) => {
            // First, because every call of the account updates this document: later in the transaction it would conflict.
            const suspended = await accounts.findOneAndUpdate({ _id: accountId, suspended_at: { $exists: false } }, { $currentDate: { suspended_at: true }, $inc: { endpoints_version: 1 } }, { session, returnDocument: 'after' });
            if (!suspended)
                return null;
            await endpoints.updateMany({ account_id: accountId }, { $set: { account_suspended: true } }, { session });
            await replays.cancelAllOf(accountId, session);
            return suspended;
        }),
        /**
         * Resumes an account, unless it is being deleted: its held deliveries are sent. Earlier sessions stay ended, and
         * no endpoint counts as failing for the time of the suspension.
         *
         * @returns the account; null when there is none
         */
        resume: (accountId, by) => changeAccount(db, { ...by, accountId, action: 'account.resumed', object: accountId }, async (session) => {
            const resumed = await accounts.findOneAndUpdate({ _id: accountId, suspended_at: { $exists: true }, deleting_since: { $exists: false } }, { $unset: { suspended_at: true }, $inc: { endpoints_version: 1 } }, { session, returnDocument: 'after' });
            if (!resumed)
                return null;
            const fields = { account_suspended: true, failing_since: true };
            await endpoints.updateMany({ account_id: accountId }, { $unset: fields }, { session });
            await sessions.deleteMany({ account_id: accountId }, { session });
            return resumed;
        }),
    };
}
/**
 * Changes an account, and writes the entry down with it.
 *
 * @param work null when nothing is to be changed
 * @returns the account, changed or as it is; null when there is none
 */
async function changeAccount(db, entry, work) {
    const changed = await (0, audit_store_1.changeAudited)(db, work, () => entry);
    return changed ?? db.collection(account_store_1.ACCOUNTS_COLLECTION).findOne({ _id: entry.accountId });
}
//# sourceMappingURL=suspension-store.js.map