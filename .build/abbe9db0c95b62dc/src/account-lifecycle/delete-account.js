"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.beginDeletion = beginDeletion;
exports.continueDeletion = continueDeletion;
exports.runDeletions = runDeletions;
const claim_store_1 = require("../record/claim-store");
const manage_accounts_1 = require("../accounts/manage-accounts");
const periodic_1 = require("../platform/periodic");
const suspend_account_1 = require("./suspend-account");
/** The longest `DELIVERY_TIMEOUT` that a process may have; requests and counters that wait to be written take less. */
const LONGEST_ATTEMPT_MS = 30_000;
/** How many documents of a kind one step removes, so that every step is short. */
const STEP = 500;
/**
 * Begins to delete an account, which can't be undone: the account is suspended, and a worker does the rest.
 *
 * @throws NotFoundError for an unknown account
 */
async function beginDeletion(deps, accountId, by) {
    await (0, suspend_account_1.suspendAccount)(deps, accountId, by);
    const account = await deps.deletions.begin(accountId, by);
    if (!account)
        throw (0, manage_accounts_1.accountNotFound)(accountId);
    return account;
}
/**
 * Removes everything an account owns, step by step, once its deletion has begun. After a crash the next call resumes.
 * The account itself goes last, when nothing that was under way at its suspension can still write. Running executions find
 * nothing at their next attempt, and end.
 *
 * The audit log keeps what operators did to the account; those entries name none of its people.
 *
 * @returns how many documents this call removed, by collection, and in how many milliseconds to call again; 0 when the
 *   account is gone
 */
async function continueDeletion(deps, accountId) {
    const account = await deps.accounts.find(accountId);
    const by = account?.deleting_by;
    if (!by)
        return { removed: {}, againInMs: 0 };
    const { underWayMs = (0, claim_store_1.claimLeaseMs)(LONGEST_ATTEMPT_MS) } = deps;
    const leftMs = underWayMs - (await deps.deletions.suspendedForMs(accountId));
    const removed = {};
    for (;;) {
        const some = Object.entries(await deps.deletions.removeSome(accountId, STEP));
        if (some.length === 0)
            break;
        for (const [name, count] of some)
            removed[name] = (removed[name] ?? 0) + count;
    }
    if (leftMs > 0)
        return { removed, againInMs: leftMs };
    await deps.deletions.end(accountId, { ...by, accountId, object: accountId, action: 'account.deleted' });
    return { removed, againInMs: 0 };
}
const INTERVAL_MS = 5_000;
/** Finishes deletions of accounts that somebody began. Part of the worker role; safe in any number of workers. */
function runDeletions(deps) {
    const { deletions, logger } = deps;
    const failure = 'accounts could not be deleted; the next round tries again';
    return (0, periodic_1.runPeriodically)({ intervalMs: INTERVAL_MS, logger, failure }, async (stop) => {
        for (const accountId of await deletions.begun()) {
            if (stop.aborted)
                return;
            const { againInMs } = await continueDeletion(deps, accountId);
            if (againInMs === 0)
                logger.info({ account_id: accountId }, 'deleted an account');
        }
    });
}
//# sourceMappingURL=delete-account.js.map