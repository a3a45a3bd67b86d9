"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createMetrics = createMetrics;
exports.serveMetrics = serveMetrics;
const node_events_1 = require("node:events");
const prom_client_1 = require("prom-client");
const allowed_hosts_1 = require("./allowed-hosts");
const http_server_1 = require("./http-server");
/** @param startsWaiting number of deliveries that wait in this process, by the way they go */
function createMetrics(startsWaiting) {
    const registry = new prom_client_1.Registry();
    (0, prom_client_1.collectDefaultMetrics)({ register: registry });
    const registers = [registry];
    // The gauge registers itself and is read only when Prometheus asks.
    void new prom_client_1.Gauge({
        name: 'everpost_delivery_starts_waiting',
        help: 'Accepted deliveries that wait in this process: for the start of their execution (workflow), or for a slot (express).',
        labelNames: ['way'],
        registers,
        collect() {
            for (const [way, waiting] of Object.entries(startsWaiting()))
                this.set({ way }, waiting);
        },
    });
    return {
        registry,
        httpRequests: new prom_client_1.Histogram({
            name: 'http_server_request_duration_seconds',
            help: 'Duration of HTTP requests.',
            labelNames: ['method', 'route', 'status_code'],
            buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
            registers,
        }),
        ingestedEvents: new prom_client_1.Counter({
            name: 'everpost_events_ingested_total',
            help: 'Ingest calls that were answered 202 (accepted) or 200 (duplicate).',
            labelNames: ['result'],
            registers,
        }),
        attempts: new prom_client_1.Histogram({
            name: 'everpost_delivery_attempt_duration_seconds',
            help: 'Duration of delivery attempts, by outcome: success, or the error code.',
            labelNames: ['outcome'],
            buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
            registers,
        }),
        firstAttempts: new prom_client_1.Counter({
            name: 'everpost_first_attempts_total',
            help: 'Deliveries by who makes their first attempt: an execution in Temporal (workflow), or this process (express).',
            labelNames: ['way'],
            registers,
        }),
        limitedRequests: new prom_client_1.Counter({
            name: 'everpost_requests_limited_total',
            help: 'Requests answered 429, by reason.',
            labelNames: ['reason'],
            registers,
        }),
        refusedConnections: new prom_client_1.Counter({
            name: 'everpost_connections_refused_total',
            help: 'Connections to the API that were closed because MAX_CONNECTIONS were open.',
            registers,
        }),
    };
}
/** Of `/metrics`: for Prometheus, a health check and a person or two. */
const METRICS_CONNECTIONS = 100;
/**
 * Serves `/metrics` on a port of its own, so that it can stay behind a firewall. A port that is taken is logged: nothing else
 * depends on it.
 */
async function serveMetrics(source, { host, metricsPort, allowedHosts }, logger) {
    const isAllowedHost = (0, allowed_hosts_1.createHostCheck)(allowedHosts);
    const serve = (request, response) => {
        const { host: name } = request.headers;
        if (name !== undefined && !isAllowedHost(name)) {
            response.writeHead(421).end('This server does not answer for the name in the Host header; see ALLOWED_HOSTS.\n');
            return;
        }
        if (request.method !== 'GET' || request.url !== '/metrics') {
            response.writeHead(404).end();
            return;
        }
        source.metrics().then((text) => response.writeHead(200, { 'Content-Type': source.contentType }).end(text), () => response.writeHead(500).end());
    };
    const server = (0, http_server_1.createLimitedServer)(serve, { maxConnections: METRICS_CONNECTIONS });
    try {
        server.listen(metricsPort, host);
        await (0, node_events_1.once)(server, 'listening');
    }
    catch (error) {
        logger.warn({ err: error }, `metrics can't be served on port ${metricsPort}`);
        return undefined;
    }
    const { port } = server.address();
    return { url: `http://${host}:${port}/metrics`, close: () => server.close() };
}
//# sourceMappingURL=metrics.js.map