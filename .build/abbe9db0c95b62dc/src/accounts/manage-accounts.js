"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAccount = createAccount;
exports.setTier = setTier;
exports.requireAccount = requireAccount;
exports.accountNotFound = accountNotFound;
exports.listAccounts = listAccounts;
const errors_1 = require("../domain/errors");
const ids_1 = require("../platform/ids");
const cursor_1 = require("../platform/cursor");
const email_1 = require("./email");
/**
 * Creates an account.
 *
 * @throws InvalidRequestError for an invalid address or an unknown tier
 * @throws ConflictError when the address has an account already
 */
async function createAccount(deps, input, by) {
    const email = (0, email_1.normaliseEmail)(input.email);
    requireTier(deps.tiers, input.tier);
    const account = {
        _id: (0, ids_1.newId)('acc'),
        email,
        tier: input.tier,
        endpoints_version: 0,
        created_at: new Date(deps.clock()),
    };
    if (!(await deps.accounts.insert(account, by))) {
        throw new errors_1.ConflictError(`There is an account for ${email} already.`, 'email_taken');
    }
    return account;
}
/** @throws InvalidRequestError listing the tiers there are */
function requireTier(tiers, id) {
    const tier = tiers.get(id);
    if (!tier) {
        throw new errors_1.InvalidRequestError(`There is no tier "${id}". Tiers: ${[...tiers.keys()].join(', ')}.`, 'unknown_tier');
    }
    return tier;
}
/**
 * Moves an account to another tier. Its limits apply from the next call.
 *
 * @throws InvalidRequestError for an unknown tier
 * @throws NotFoundError for an unknown account
 */
async function setTier(deps, input, by) {
    requireTier(deps.tiers, input.tier);
    const account = await deps.accounts.setTier(input.accountId, input.tier, by);
    if (!account)
        throw accountNotFound(input.accountId);
    return account;
}
/**
 * Reads an account.
 *
 * @throws NotFoundError for an unknown one
 */
async function requireAccount(accounts, accountId) {
    const account = await accounts.find(accountId);
    if (!account)
        throw accountNotFound(accountId);
    return account;
}
/** The error for an unknown account. */
function accountNotFound(accountId) {
    return new errors_1.NotFoundError(`There is no account ${accountId}.`, 'account_not_found');
}
/**
 * One page of all accounts, newest first.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
async function listAccounts(deps, query) {
    const after = query.cursor === undefined ? undefined : (0, cursor_1.decodeCursor)('accounts', query.cursor);
    const found = await deps.accounts.page(query.limit + 1, after);
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const hasMore = found.length > query.limit && last !== undefined;
    return { page, nextCursor: hasMore ? (0, cursor_1.encodeCursor)('accounts', { createdAt: last.created_at, id: last._id }) : null };
}
//# sourceMappingURL=manage-accounts.js.map