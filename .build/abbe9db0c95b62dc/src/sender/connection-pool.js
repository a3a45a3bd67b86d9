"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createConnectionPool = createConnectionPool;
const node_crypto_1 = require("node:crypto");
const node_http_1 = require("node:http");
const node_https_1 = require("node:https");
const node_tls_1 = require("node:tls");
const tunnel_agents_1 = require("./tunnel-agents");
/** Idle connections are kept this long, or as long as the receiver's Keep-Alive header says if that is shorter. */
const IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_IDLE_CONNECTIONS = 256;
const DEFAULT_MAX_CONNECTION_AGE_MS = 300_000;
/**
 * Makes the pool of keep-alive connections, one set for each destination's host and port.
 *
 * It gives every request a connection at once. Endpoints of many tenants may share a host and port, so a bound here
 * would have one tenant wait for another; `EndpointLoad` bounds what each endpoint has under way.
 *
 * A pooled connection stays with the address that was checked when it was opened.
 */
function createConnectionPool(deps) {
    const tls = { secureContext: createTrust(deps.extraCaPem), rejectUnauthorized: true };
    const maxIdle = deps.maxIdleConnections ?? DEFAULT_MAX_IDLE_CONNECTIONS;
    // Node's agents have no bound for connections in use unless one is set.
    const kept = { keepAlive: true, maxFreeSockets: maxIdle, timeout: IDLE_TIMEOUT_MS };
    const fresh = { keepAlive: false };
    const agents = {
        https: { kept: new node_https_1.Agent({ ...kept, ...tls }), fresh: new node_https_1.Agent({ ...fresh, ...tls }) },
        http: { kept: new node_http_1.Agent(kept), fresh: new node_http_1.Agent(fresh) },
    };
    const bounds = {
        idle: new Set(),
        maxIdle,
        maxAgeMs: deps.maxConnectionAgeMs ?? DEFAULT_MAX_CONNECTION_AGE_MS,
    };
    if (deps.proxy) {
        const through = { proxy: deps.proxy, trust: tls.secureContext };
        for (const { kept: used, fresh: unused } of Object.values(agents)) {
            (0, tunnel_agents_1.tunnelThrough)(used, through);
            (0, tunnel_agents_1.tunnelThrough)(unused, through);
        }
    }
    boundIdleConnections(agents.https.kept, bounds);
    boundIdleConnections(agents.http.kept, bounds);
    return {
        agentFor(protocol, wantsFresh) {
            const pair = protocol === 'https:' ? agents.https : agents.http;
            return wantsFresh ? pair.fresh : pair.kept;
        },
        close() {
            for (const { kept: used, fresh: unused } of Object.values(agents)) {
                used.destroy();
                unused.destroy();
            }
        },
    };
}
/**
 * The certificates that are trusted, parsed once: parsing them takes 19 ms, which would be paid by every connection.
 * Verification is never off: `rejectUnauthorized` beside it outranks NODE_TLS_REJECT_UNAUTHORIZED.
 *
 * @throws Error showing the beginning of a certificate that can't be read, which OpenSSL would pass over in silence
 */
function createTrust(extraCaPem) {
    const extraCa = extraCaPem.map((pem) => {
        try {
            void new node_crypto_1.X509Certificate(pem);
            return pem;
        }
        catch (error) {
            throw new Error(`A certificate to trust is no PEM certificate; it begins with "${pem.split('\n', 1)[0].slice(0, 40)}".`, {
                cause: error,
            });
        }
    });
    return (0, node_tls_1.createSecureContext)({ ca: [...node_tls_1.rootCertificates, ...extraCa], minVersion: 'TLSv1.2' });
}
/** Uses the two hooks that Node documents for agents to bound what is idle over all destinations. */
function boundIdleConnections(agent, bounds) {
    const { idle, maxIdle, maxAgeMs } = bounds;
    const firstKeptAt = new WeakMap();
    // Typed as void, and documented to return false for a connection that must not be kept.
    const keep = agent.keepSocketAlive.bind(agent);
    const reuse = agent.reuseSocket.bind(agent);
    agent.keepSocketAlive = (socket) => {
        const firstKept = firstKeptAt.get(socket);
        if (firstKept === undefined) {
            firstKeptAt.set(socket, performance.now());
            socket.once('close', () => idle.delete(socket));
        }
        else if (performance.now() - firstKept > maxAgeMs) {
            return false;
        }
        if (!keep(socket))
            return false;
        socket.once('data', dropTalkative);
        idle.add(socket);
        const [longestIdle] = idle;
        if (longestIdle && idle.size > maxIdle) {
            idle.delete(longestIdle);
            longestIdle.destroy();
        }
        return true;
    };
    agent.reuseSocket = (socket, request) => {
        idle.delete(socket);
        socket.off('data', dropTalkative);
        reuse(socket, request);
    };
}
/** Bytes on an idle connection answer nothing (a proxy's 408, mostly); the next request must not meet their rest. */
function dropTalkative() {
    this.destroy();
}
//# sourceMappingURL=connection-pool.js.map