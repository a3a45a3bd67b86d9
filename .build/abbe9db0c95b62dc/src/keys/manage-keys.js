"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.hashApiKey = hashApiKey;
exports.createKey = createKey;
exports.listKeys = listKeys;
exports.revokeKey = revokeKey;
exports.describeKey = describeKey;
const node_crypto_1 = require("node:crypto");
const manage_accounts_1 = require("../accounts/manage-accounts");
const api_key_1 = require("../domain/api-key");
const errors_1 = require("../domain/errors");
const scopes_1 = require("../domain/scopes");
const ids_1 = require("../platform/ids");
const read_restrictions_1 = require("./read-restrictions");
const MAX_LABEL_LENGTH = 100;
/** Enough for each service of a team to have its own; revoked keys do not count. */
const MAX_ACTIVE_KEYS = 100;
/** How a key is looked up: SHA-256 of all its characters, hexadecimal. */
function hashApiKey(key) {
    return (0, node_crypto_1.createHash)('sha256').update(key).digest('hex');
}
/**
 * Creates a key for one product of an account.
 *
 * @param input `scopes` limits what the key may do, `expiresIn` (such as `90d`) for how long; both are for its whole life
 * @returns the record, and the full key: this is the only moment at which it exists outside its owner's hands
 * @throws InvalidRequestError for an unknown product or scope, an empty or overlong label, or no time to live
 * @throws NotFoundError for an unknown account
 * @throws ConflictError when the account has as many keys as it can have
 */
async function createKey(deps, input, by) {
    const product = input.product;
    if (!api_key_1.PRODUCT_PREFIXES.includes(product)) {
        throw new errors_1.InvalidRequestError(`There is no product "${input.product}". Products: ${api_key_1.PRODUCT_PREFIXES.join(', ')}.`, 'unknown_product');
    }
    const label = input.label.trim();
    if (label === '' || label.length > MAX_LABEL_LENGTH) {
        throw new errors_1.InvalidRequestError(`A label has 1 to ${MAX_LABEL_LENGTH} characters.`, 'invalid_label');
    }
    const createdAt = deps.clock();
    const restrictions = {
        ...(input.scopes && { scopes: (0, read_restrictions_1.readScopes)(product, input.scopes) }),
        ...(input.expiresIn !== undefined && { expires_at: (0, read_restrictions_1.readExpiry)(input.expiresIn, createdAt) }),
    };
    await (0, manage_accounts_1.requireAccount)(deps.accounts, input.accountId);
    if ((await deps.keys.countActive(input.accountId)) >= MAX_ACTIVE_KEYS) {
        throw new errors_1.ConflictError(`This account has ${MAX_ACTIVE_KEYS} keys. Revoke one first.`, 'key_limit_reached');
    }
    const key = (0, api_key_1.formatApiKey)(product, (0, node_crypto_1.randomBytes)(16).toString('hex'));
    const record = {
        _id: (0, ids_1.newId)('key'),
        hash: hashApiKey(key),
        display: (0, api_key_1.maskApiKey)(key),
        product,
        label,
        account_id: input.accountId,
        ...restrictions,
        created_at: new Date(createdAt),
        last_used_at: null,
        revoked_at: null,
    };
    await deps.keys.insert(record, by);
    return { record, key };
}
/**
 * An account's keys, oldest first, revoked ones included.
 *
 * @throws NotFoundError for an unknown account
 */
async function listKeys(deps, accountId) {
    await (0, manage_accounts_1.requireAccount)(deps.accounts, accountId);
    return deps.keys.listByAccount(accountId);
}
/**
 * Revokes a key for good; every process refuses it in under a second.
 *
 * @param input `accountId` limits the search to the owner's own keys
 * @throws NotFoundError when there is no such key
 */
async function revokeKey(deps, input, by) {
    const key = await deps.keys.revoke(input.id, new Date(deps.clock()), by, input.accountId);
    if (!key)
        throw new errors_1.NotFoundError(`There is no key ${input.id}.`, 'key_not_found');
    return key;
}
/** What the holder of an authenticated key may know about it. `expires_at` is null for a key that never expires. */
async function describeKey({ accounts }, key) {
    const { product, label, account_id, expires_at: expiresAt } = key;
    const account = await accounts.find(account_id);
    return {
        product,
        label,
        account_id,
        tier: account?.tier ?? 'free',
        scopes: (0, scopes_1.scopesOf)(key),
        expires_at: expiresAt?.toISOString() ?? null,
    };
}
//# sourceMappingURL=manage-keys.js.map