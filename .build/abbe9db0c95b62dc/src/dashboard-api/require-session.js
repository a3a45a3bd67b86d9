"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRequireSession = createRequireSession;
exports.sessionOf = sessionOf;
exports.requireOperator = requireOperator;
exports.createSessionLimit = createSessionLimit;
const lru_cache_1 = require("lru-cache");
const account_suspended_1 = require("../domain/account-suspended");
const errors_1 = require("../domain/errors");
const start_session_1 = require("../users/start-session");
const cookies_1 = require("./cookies");
/** A page sends it with requests that no person caused. */
const UNATTENDED = 'Everpost-Unattended';
const LIVE = 'session';
/**
 * Finds the session of the cookie, and makes its user the caller: 401 without one or after its end, 403 while its
 * account is suspended.
 */
function createRequireSession(deps) {
    return async (ctx, next) => {
        const token = (0, cookies_1.readSessionCookie)(ctx);
        const live = token === undefined ? null : await deps.sessions.use((0, start_session_1.hashSessionToken)(token), ctx.get(UNATTENDED) === '');
        if (!live)
            throw new errors_1.UnauthorizedError('You are not signed in, or your session has ended. Sign in.', 'session_required');
        if (live.account.suspended_at)
            throw (0, account_suspended_1.accountSuspended)();
        deps.limit(live.session._id);
        const { user, account, session, now } = live;
        ctx.state[LIVE] = live;
        ctx.state.identify({ account_id: account._id, session_id: session._id });
        ctx.state.caller = {
            accountId: account._id,
            actor: { type: 'user', id: user._id, name: user.email },
            address: deps.clientAddress(ctx),
            endpointsVersion: account.endpoints_version,
            now,
        };
        await next();
    };
}
/** The session of a request that got past `requireSession`, with its user and account. */
function sessionOf(ctx) {
    return ctx.state[LIVE];
}
/** @throws NotFoundError unless the user runs the installation: others don't learn what an operator can do */
function requireOperator(ctx) {
    if (!sessionOf(ctx).user.operator) {
        throw new errors_1.NotFoundError('There is nothing at this address.', 'not_found');
    }
}
/** Far above what a person with several windows needs; it stops a program that took over a session. */
const CALLS_PER_MINUTE = 600;
const WINDOW_MS = 60_000;
const MAX_SESSIONS = 10_000;
/**
 * Counts a session's calls, in this process's memory.
 *
 * @returns a function that throws TooManyRequestsError once a session has used up its minute
 */
function createSessionLimit(clock) {
    const windows = new lru_cache_1.LRUCache({ max: MAX_SESSIONS });
    return (sessionId) => {
        const now = clock();
        let window = windows.get(sessionId);
        if (!window || window.endsAt <= now) {
            window = { endsAt: now + WINDOW_MS, calls: 0 };
            windows.set(sessionId, window);
        }
        window.calls += 1;
        if (window.calls <= CALLS_PER_MINUTE)
            return;
        const waitSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
        throw new errors_1.TooManyRequestsError(`More than ${CALLS_PER_MINUTE} calls in a minute. Wait ${waitSeconds} s.`, 'rate_limit_exceeded', waitSeconds, { retry_after: waitSeconds, remaining: 0 });
    };
}
//# sourceMappingURL=require-session.js.map