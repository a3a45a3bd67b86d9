"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentAccount = presentAccount;
exports.stateOf = stateOf;
/** An account as the operator's CLI prints it. */
function presentAccount(account) {
    const { _id: id, email, tier } = account;
    const state = stateOf(account);
    return { id, email, tier, ...(state !== 'active' && { state }) };
}
/** What operators did to an account. */
function stateOf({ suspended_at: at, deleting_since: since }) {
    if (since)
        return 'being deleted';
    return at ? 'suspended' : 'active';
}
//# sourceMappingURL=present.js.map