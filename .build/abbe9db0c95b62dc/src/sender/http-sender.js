"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.USER_AGENT = void 0;
exports.createHttpSender = createHttpSender;
const node_http_1 = require("node:http");
const destination_url_1 = require("../domain/destination-url");
const address_guard_1 = require("./address-guard");
const classify_failure_1 = require("./classify-failure");
const connection_pool_1 = require("./connection-pool");
const exchange_1 = require("./exchange");
const resolve_destination_1 = require("./resolve-destination");
/** How Everpost introduces itself to receivers: name and minor version. */
exports.USER_AGENT = 'Everpost/0.1';
const DEFAULT_DNS_CACHE_MS = 5_000;
/**
 * Makes the sender of deliveries (decisions, section 4). Signatures are made before; here is everything that a
 * hostile or broken receiver could abuse: time, redirects, size, addresses.
 */
function createHttpSender(deps) {
    const pool = (0, connection_pool_1.createConnectionPool)({ extraCaPem: deps.extraCaPem, proxy: deps.proxy });
    const makeAttempt = createAttempt(deps, pool);
    const underWay = new Set();
    let closed = false;
    return {
        async send(request) {
            if (closed)
                throw new Error('the sender is closed');
            const sending = makeAttempt(request);
            underWay.add(sending);
            try {
                return await sending;
            }
            finally {
                underWay.delete(sending);
            }
        },
        async close() {
            closed = true;
            await Promise.allSettled(underWay);
            pool.close();
        },
    };
}
function createAttempt(deps, pool) {
    const { policy, timeoutMs } = deps;
    const guard = (0, address_guard_1.createAddressGuard)(policy);
    const cacheMs = deps.dnsCacheMs ?? DEFAULT_DNS_CACHE_MS;
    const lookupFor = (0, resolve_destination_1.createCheckedLookup)({ guard, resolver: deps.resolver, cacheMs });
    return async ({ url, headers, body }) => {
        const began = { startedAtMs: Date.now(), started: performance.now(), url, timeoutMs };
        const target = judgeTarget(url, policy, guard);
        if (target instanceof classify_failure_1.BlockedAddressError)
            return presentResult(began, refused(target), '', 0);
        const deadline = new AbortController();
        const timer = setTimeout(() => deadline.abort(), timeoutMs);
        try {
            const post = (fresh) => (0, exchange_1.exchange)({
                url: target,
                headers: { 'User-Agent': exports.USER_AGENT, ...headers },
                body,
                agent: pool.agentFor(target.protocol, fresh),
                lookup: lookupFor((0, address_guard_1.portOf)(target)),
                isTunnelled: deps.proxy !== undefined,
                signal: deadline.signal,
            });
            const first = await post(false);
            // The receiver closed an idle connection in the moment we used it (RFC 9112, 9.3.1): its fault as little as
            // ours. Without a byte of an answer the request goes out once more, on a new connection.
            const wasDead = first.kind === 'failed' && first.staleConnection && (0, classify_failure_1.isReset)(first.error);
            return presentResult(began, wasDead ? await post(true) : first, (0, address_guard_1.hostnameOf)(target), wasDead ? 1 : 0);
        }
        finally {
            clearTimeout(timer);
        }
    };
}
/** Judges the URL as registration did: the policy may have changed since, and sockets don't look up literal addresses. */
function judgeTarget(raw, policy, guard) {
    const parsed = (0, destination_url_1.parseDestinationUrl)(raw, policy);
    if (!parsed.ok)
        return new classify_failure_1.BlockedAddressError(parsed.message);
    const refusal = guard.judgeUrl(parsed.url);
    return refusal ? new classify_failure_1.BlockedAddressError(refusal.message) : parsed.url;
}
function refused(error) {
    return {
        kind: 'failed',
        error,
        phase: 'lookup',
        staleConnection: false,
        decidedAt: performance.now(),
        remoteAddress: null,
    };
}
function presentResult(began, outcome, host, resends) {
    return {
        startedAtMs: began.startedAtMs,
        latencyMs: Math.round(outcome.decidedAt - began.started),
        ...describe(outcome, host, began.timeoutMs),
        resends,
        url: began.url,
        remoteAddress: outcome.remoteAddress,
    };
}
function describe(outcome, host, timeoutMs) {
    if (outcome.kind === 'failed') {
        const failure = (0, classify_failure_1.classifyFailure)(outcome.error, { host, phase: outcome.phase, timeoutMs });
        return { succeeded: false, statusCode: null, ...failure, retryAfter: null, snippet: null };
    }
    const { statusCode, snippet } = outcome;
    if ((0, exchange_1.isSuccess)(statusCode)) {
        return { succeeded: true, statusCode, errorCode: null, error: null, retryAfter: null, snippet };
    }
    return {
        succeeded: false,
        statusCode,
        errorCode: 'http_status',
        error: describeStatus(statusCode),
        retryAfter: outcome.retryAfter ?? null,
        snippet,
    };
}
function describeStatus(statusCode) {
    const name = node_http_1.STATUS_CODES[statusCode];
    const answered = `The receiver answered ${statusCode}${name ? ` ${name}` : ''}`;
    return statusCode >= 300 && statusCode <= 399 ? `${answered}; redirects are never followed.` : `${answered}.`;
}
//# sourceMappingURL=http-sender.js.map