"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentUser = presentUser;
exports.presentAccountName = presentAccountName;
exports.presentListedAccount = presentListedAccount;
exports.tierOf = tierOf;
exports.presentTier = presentTier;
exports.presentSession = presentSession;
exports.presentOwnKey = presentOwnKey;
exports.presentAuditEntry = presentAuditEntry;
const present_1 = require("../accounts/present");
const present_2 = require("../keys/present");
function presentUser({ _id: id, email, role, operator }) {
    return { id, email, role, operator };
}
function presentAccountName({ _id: id, email }) {
    return { id, email };
}
/** An account as operators see it in the list of all. */
function presentListedAccount(account, now) {
    const { limits } = account;
    const isThisMonth = limits !== undefined && limits.month.toISOString().slice(0, 7) === now.toISOString().slice(0, 7);
    return {
        ...presentAccountName(account),
        tier: account.tier,
        state: (0, present_1.stateOf)(account),
        created_at: account.created_at.toISOString(),
        quota_used: isThisMonth ? limits.quota_used : 0,
    };
}
/** The tier of an account; one that is not configured counts as `free`, as for the limiter. */
function tierOf(tiers, account) {
    return presentTier(tiers.get(account.tier) ?? tiers.get('free'));
}
function presentTier(tier) {
    return { id: tier.id, name: tier.name, monthly_quota: tier.monthlyQuota, per_minute: tier.perMinute };
}
function presentSession(session, currentId) {
    return {
        id: session._id,
        created_at: session.created_at.toISOString(),
        last_seen_at: session.last_seen_at.toISOString(),
        ends_at: session.ends_at.toISOString(),
        address: session.address,
        user_agent: session.user_agent,
        current: session._id === currentId,
    };
}
/** A key as the account's owner sees it: never the key itself. */
function presentOwnKey(key) {
    return { ...(0, present_2.presentKey)(key), calls: key.calls ?? 0 };
}
function presentAuditEntry(entry) {
    const { _id: id, at, account_id, actor, action, object, address, detail = null, changes = [] } = entry;
    const told = changes.map(({ field, from = null, to = null }) => ({ field, from, to }));
    return { id, at: at.toISOString(), account_id, actor, action, object, address, detail, changes: told };
}
//# sourceMappingURL=present.js.map