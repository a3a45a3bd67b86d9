"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createFirstAccount = createFirstAccount;
exports.createOperatorLink = createOperatorLink;
const manage_accounts_1 = require("../src/accounts/manage-accounts");
const account_store_1 = require("../src/accounts/account-store");
const manage_keys_1 = require("../src/keys/manage-keys");
const key_store_1 = require("../src/keys/key-store");
const claim_account_1 = require("../src/users/claim-account");
const setup_link_store_1 = require("../src/users/setup-link-store");
const user_store_1 = require("../src/users/user-store");
const audit_actions_1 = require("../src/domain/audit-actions");
const clock_1 = require("../src/platform/clock");
const mongo_1 = require("../src/platform/mongo");
/** Nobody's address; the owner of a local stack needs no other. */
const EMAIL = 'owner@everpost.local';
/** The operator's own account should not run into limits that are made for customers. */
const TIER = 'enterprise';
/** Creates an account with a key for this product, unless there is an account already. */
async function createFirstAccount(mongodbUri, tiers) {
    const mongo = (0, mongo_1.createMongo)(mongodbUri);
    try {
        const accounts = (0, account_store_1.createAccountStore)(mongo.db);
        const keys = (0, key_store_1.createKeyStore)(mongo.db);
        const existing = await accounts.list();
        // A start that was killed between the two left an account without a key, which is as good as none.
        const unfinished = existing.length === 1 && (await keys.listByAccount(existing[0]._id)).length === 0;
        if (existing.length > 0 && !unfinished)
            return undefined;
        const account = existing[0] ??
            (await (0, manage_accounts_1.createAccount)({ accounts, tiers, clock: clock_1.systemClock }, { email: EMAIL, tier: TIER }, audit_actions_1.BY_COMMAND_LINE));
        const input = { accountId: account._id, product: 'weh', label: 'first start' };
        const { key } = await (0, manage_keys_1.createKey)({ keys, accounts, clock: clock_1.systemClock }, input, audit_actions_1.BY_COMMAND_LINE);
        return { accountId: account._id, key };
    }
    finally {
        await mongo.close();
    }
}
/**
 * Makes the link with which the operator claims the oldest account that nobody can sign in to, as long as the
 * installation has no operator. Each start makes a new one, and ends the one before.
 *
 * @returns where to open it; undefined when there is an operator, or nothing to claim
 */
async function createOperatorLink(mongodbUri, apiUrl) {
    const mongo = (0, mongo_1.createMongo)(mongodbUri);
    try {
        const users = (0, user_store_1.createUserStore)(mongo.db);
        if (await users.anyOperator())
            return undefined;
        const claimed = new Set((await users.list()).map(({ account_id }) => account_id));
        const account = (await (0, account_store_1.createAccountStore)(mongo.db).list()).find(({ _id }) => !claimed.has(_id));
        if (!account)
            return undefined;
        const token = await (0, claim_account_1.createSetupLink)({ setupLinks: (0, setup_link_store_1.createSetupLinkStore)(mongo.db) }, account._id, audit_actions_1.BY_COMMAND_LINE);
        return `${apiUrl}/dashboard/setup#${token}`;
    }
    finally {
        await mongo.close();
    }
}
//# sourceMappingURL=first-account.js.map