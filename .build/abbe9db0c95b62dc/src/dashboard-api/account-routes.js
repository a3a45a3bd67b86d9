"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addAccountRoutes = addAccountRoutes;
const zod_1 = require("zod");
const delete_account_1 = require("../account-lifecycle/delete-account");
const suspend_account_1 = require("../account-lifecycle/suspend-account");
const manage_accounts_1 = require("../accounts/manage-accounts");
const errors_1 = require("../domain/errors");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const present_1 = require("./present");
const require_session_1 = require("./require-session");
const schema_1 = require("./schema");
const PATH = '/dashboard/api/accounts';
const NOT_POSSIBLE = { 409: "It is the operator's own account, or it is being deleted." };
/** Adds what operators see of all accounts, and do to them. */
function addAccountRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listAccounts',
        method: 'get',
        path: PATH,
        tag: 'Accounts',
        summary: 'List all accounts',
        description: 'For operators: the accounts of the installation, newest first, and the tiers there are.',
        query: schema_1.accountQuery,
        answers: { 200: { description: 'The accounts.', schema: schema_1.accountListView } },
        errors: { 404: 'The user is no operator.' },
    }, async (ctx) => {
        (0, require_session_1.requireOperator)(ctx);
        const { page, nextCursor } = await (0, manage_accounts_1.listAccounts)(deps, (0, read_body_1.validate)(schema_1.accountQuery, { ...ctx.query }, 'query'));
        const { accountId, actor, address } = ctx.state.caller;
        await deps.audit.record({ accountId, actor, address, action: 'accounts.read', object: null });
        ctx.body = {
            accounts: page.map((account) => (0, present_1.presentListedAccount)(account, ctx.state.caller.now)),
            tiers: [...deps.tiers.values()].map(present_1.presentTier),
            next_cursor: nextCursor,
        };
    });
    addChange(api, {
        id: 'setTier',
        method: 'patch',
        path: `${PATH}/{account_id}`,
        summary: "Set an account's tier",
        description: 'For operators. Takes effect with the next call.',
        body: schema_1.tierBody,
    }, async (ctx, accountId, by) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.tierBody);
        return (0, manage_accounts_1.setTier)(deps, { accountId, tier: value.tier }, by);
    });
    addLifecycle(api, deps);
}
function addLifecycle(api, deps) {
    addChange(api, {
        id: 'suspendAccount',
        method: 'post',
        path: `${PATH}/{account_id}/suspend`,
        summary: 'Suspend an account',
        description: 'For operators. Its keys, sessions and streams end within a second; pending deliveries are held.',
        errors: NOT_POSSIBLE,
    }, (ctx, accountId, by) => (0, suspend_account_1.suspendAccount)(deps, otherAccount(ctx, accountId), by));
    addChange(api, {
        id: 'resumeAccount',
        method: 'post',
        path: `${PATH}/{account_id}/resume`,
        summary: 'Resume an account',
        description: 'For operators. Its keys work again, and its held deliveries are sent.',
        errors: NOT_POSSIBLE,
    }, (ctx, accountId, by) => (0, suspend_account_1.resumeAccount)(deps, otherAccount(ctx, accountId), by));
    addChange(api, {
        id: 'deleteAccount',
        method: 'delete',
        path: `${PATH}/{account_id}`,
        summary: 'Delete an account',
        description: 'For operators. Suspends the account; a worker removes it and everything it owns, for good.',
        errors: NOT_POSSIBLE,
    }, (ctx, accountId, by) => (0, delete_account_1.beginDeletion)(deps, otherAccount(ctx, accountId), by), 202);
}
/** Adds an operator's change of one account, which writes its own entry in the audit log. */
function addChange(api, operation, act, status = 200) {
    (0, operation_1.addOperation)(api, {
        ...operation,
        tag: 'Accounts',
        recordsItself: true,
        params: { account_id: zod_1.z.string() },
        answers: { [status]: { description: 'The account.', schema: schema_1.accountView } },
        errors: { 404: 'There is no such account, or the user is no operator.', ...operation.errors },
    }, async (ctx) => {
        (0, require_session_1.requireOperator)(ctx);
        const { actor, address, now } = ctx.state.caller;
        const account = await act(ctx, ctx.params['account_id'], { actor, address });
        ctx.status = status;
        ctx.body = (0, present_1.presentListedAccount)(account, now);
    });
}
/** @throws ConflictError for the operator's own account: nobody would be left to undo it */
function otherAccount(ctx, accountId) {
    if (accountId !== ctx.state.caller.accountId)
        return accountId;
    throw new errors_1.ConflictError('This is your own account. Another operator, or the command line, can do that.', 'own_account');
}
//# sourceMappingURL=account-routes.js.map