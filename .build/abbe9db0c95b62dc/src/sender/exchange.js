"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isSuccess = isSuccess;
exports.exchange = exchange;
const node_http_1 = require("node:http");
const node_https_1 = require("node:https");
const node_net_1 = require("node:net");
const address_guard_1 = require("./address-guard");
const classify_failure_1 = require("./classify-failure");
const read_response_1 = require("./read-response");
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim (1xx) answers before the real one; honest servers send one or two. */
const MAX_INTERIM_ANSWERS = 32;
/** A success is decided by its status. Its body is only for show, and nobody waits long for that. */
const SUCCESS_BODY_WAIT_MS = 2_000;
/** A failure's body may say why it failed: it is waited for until the deadline. */
const FAILURE_BODY_WAIT_MS = 2 ** 31 - 1;
/** How long one of several addresses may take before the next is tried. Node's 250 ms are short across an ocean. */
const CONNECT_ATTEMPT_TIMEOUT_MS = 1_000;
const SWITCHED_PROTOCOLS = 'The receiver answered 101 (Switching Protocols), which was not asked for.';
/** Whether a status is the success that the specification wants. */
function isSuccess(statusCode) {
    return statusCode >= 200 && statusCode <= 299;
}
/**
 * Sends one POST over one connection and waits for its status. Follows nothing, decompresses nothing, and resolves
 * for whatever the receiver does.
 */
function exchange(request) {
    return new Promise((resolve) => {
        const { signal, url } = request;
        const progress = createProgress(request);
        const tunnel = { signal, onProxyConnected: progress.noteProxy };
        const options = { ...requestOptions(request), tunnel };
        const req = (url.protocol === 'https:' ? node_https_1.request : node_http_1.request)(options);
        progress.watch(req);
        let decided = false;
        const fail = (error) => {
            if (decided)
                return;
            decided = true;
            signal.removeEventListener('abort', expire);
            resolve({ kind: 'failed', error, decidedAt: performance.now(), ...progress.facts() });
            req.destroy();
        };
        const expire = () => fail(new classify_failure_1.DeadlineError());
        const answer = async (response) => {
            if (decided)
                return;
            // Node takes a 101 without an Upgrade header for a final answer.
            if (response.statusCode < 200)
                return fail(new classify_failure_1.ProtocolError(SWITCHED_PROTOCOLS));
            decided = true;
            const decidedAt = performance.now();
            const { remoteAddress } = progress.facts();
            const statusCode = response.statusCode;
            signal.removeEventListener('abort', expire);
            const maxWaitMs = isSuccess(statusCode) ? SUCCESS_BODY_WAIT_MS : FAILURE_BODY_WAIT_MS;
            const snippet = await (0, read_response_1.readSnippet)(response, signal, maxWaitMs);
            const retryAfter = response.headers['retry-after'];
            resolve({ kind: 'answered', statusCode, snippet, retryAfter, decidedAt, remoteAddress });
        };
        signal.addEventListener('abort', expire);
        req.on('response', (response) => void answer(response));
        refuseStrangeAnswers(req, fail);
        // Stays after the decision too: a late error of a dropped connection must not become an uncaught one.
        req.on('error', fail);
        req.on('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
        if (signal.aborted)
            return expire();
        req.end(request.body);
    });
}
function requestOptions({ url, headers, body, agent, lookup }) {
    const host = (0, address_guard_1.hostnameOf)(url);
    return {
        method: 'POST',
        host,
        port: (0, address_guard_1.portOf)(url),
        path: url.pathname + url.search,
        headers: { ...headers, Host: url.host, 'Accept-Encoding': 'identity', 'Content-Length': String(body.length) },
        agent,
        lookup,
        maxHeaderSize: MAX_HEADER_BYTES,
        insecureHTTPParser: false,
        // No name for addresses, no final dot (RFC 6066, section 3).
        ...{ servername: (0, node_net_1.isIP)(host) ? '' : host.replace(/\.$/, '') },
        ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_TIMEOUT_MS },
    };
}
/** Follows how far a request has come; `facts` tells. */
function createProgress({ url, isTunnelled }) {
    const whenConnected = url.protocol === 'https:' ? 'tls' : 'answer';
    const firstDirect = (0, node_net_1.isIP)((0, address_guard_1.hostnameOf)(url)) ? 'connect' : 'lookup';
    let phase = isTunnelled ? 'proxy' : firstDirect;
    let reused = false;
    let socket;
    let bytesBefore = 0;
    let remoteAddress = null;
    const watchConnecting = (assigned) => {
        assigned.once('lookup', () => (phase = 'connect'));
        let tried = null;
        assigned.on('connectionAttempt', (address) => (tried = address));
        assigned.once('connect', () => {
            phase = whenConnected;
            // The kernel forgets the peer of a connection that was reset at once.
            remoteAddress = assigned.remoteAddress ?? tried;
        });
    };
    return {
        noteProxy: () => void (phase = 'tunnel'),
        watch(req) {
            req.once('socket', (assigned) => {
                socket = assigned;
                reused = req.reusedSocket;
                bytesBefore = assigned.bytesRead;
                // Behind a tunnel only the proxy knows the receiver's address.
                if (!isTunnelled)
                    remoteAddress = assigned.remoteAddress ?? null;
                if (reused) {
                    phase = 'answer';
                    return;
                }
                assigned.once('secureConnect', () => (phase = 'answer'));
                if (isTunnelled)
                    phase = whenConnected;
                else
                    watchConnecting(assigned);
            });
        },
        facts: () => ({
            phase,
            remoteAddress,
            staleConnection: reused && socket !== undefined && socket.bytesRead === bytesBefore,
        }),
    };
}
/** Interim answers without end, and protocol switches that nobody asked for. */
function refuseStrangeAnswers(req, fail) {
    let interimAnswers = 0;
    req.on('information', () => {
        interimAnswers += 1;
        if (interimAnswers > MAX_INTERIM_ANSWERS)
            fail(new classify_failure_1.ProtocolError('The receiver sent too many interim (1xx) answers.'));
    });
    req.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(new classify_failure_1.ProtocolError(SWITCHED_PROTOCOLS));
    });
}
//# sourceMappingURL=exchange.js.map