"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLimitedServer = createLimitedServer;
exports.defaultMaxConnections = defaultMaxConnections;
const node_http_1 = require("node:http");
const CLIENT_TIMES = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 1_000 };
/** Longer than the idle time of usual load balancers (60 s), so that they close first. */
const KEEP_ALIVE_MS = 65_000;
/** Half of Node's own: with them, a call of somebody whom nobody knows holds less than 16 KiB (docs/strangers.md). */
const MAX_HEADER_BYTES = 8 * 1_024;
/** As many as the streams that a process takes (2,000 of the dashboard, 2,000 of `listen`), twice: calls find one. */
const MOST_CONNECTIONS = 8_000;
/** An HTTP server that no client can hold up or fill; it does not listen yet. */
function createLimitedServer(handle, { maxConnections, onRefused, times = CLIENT_TIMES }) {
    const server = (0, node_http_1.createServer)({
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: times.headersMs,
        requestTimeout: times.requestMs,
        connectionsCheckingInterval: times.checkEveryMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // A missing Host is answered by the application, in its own form.
        requireHostHeader: false,
    }, handle);
    server.maxConnections = maxConnections;
    if (onRefused)
        server.on('drop', onRefused);
    return server;
}
/**
 * How many connections a process takes where nobody said: half of the files that it may open, at most 8,000. The other
 * half is for deliveries and MongoDB.
 */
function defaultMaxConnections() {
    const report = process.report.getReport();
    const files = Number(report.userLimits?.open_files?.soft);
    return Math.min(MOST_CONNECTIONS, Number.isFinite(files) ? Math.floor(files / 2) : MOST_CONNECTIONS);
}
//# sourceMappingURL=http-server.js.map