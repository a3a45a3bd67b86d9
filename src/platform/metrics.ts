import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createHostCheck } from './allowed-hosts';
import { createLimitedServer, urlOf } from './http-server';
import type { Logger } from './logger';
import { sleep } from './sleep';

/** The metrics of this process, for Prometheus. No account, URL or key is ever a label. */
export interface Metrics {
  readonly registry: Registry;
  readonly httpRequests: Histogram<'method' | 'route' | 'status_code'>;
  readonly ingestedEvents: Counter<'result'>;
  readonly attempts: Histogram<'outcome'>;
  readonly firstAttempts: Counter<'way'>;
  readonly limitedRequests: Counter<'reason'>;
  readonly refusedConnections: Counter;
}

/** What is read when Prometheus asks. */
interface MetricSources {
  /** Deliveries that wait in this process, by way. */
  readonly startsWaiting: () => Readonly<Record<string, number>>;
  /** Endpoints of the installation, by state. */
  readonly endpointStates: () => Promise<Readonly<Record<string, number>>>;
}

/** Half of the time that a process of `PROCESSES` has to answer: without MongoDB the other metrics are still exported. */
const STATES_WITHIN_MS = 2_000;

export function createMetrics({ startsWaiting, endpointStates }: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  // The gauge registers itself and is read only when Prometheus scrapes.
  void new Gauge({
    name: 'everpost_delivery_starts_waiting',
    help: 'Accepted deliveries that wait in this process: for the start of their execution (workflow), or for a slot (express).',
    labelNames: ['way'],
    registers,
    collect() {
      for (const [way, waiting] of Object.entries(startsWaiting())) this.set({ way }, waiting);
    },
  });
  void new Gauge({
    name: 'everpost_endpoints',
    help: 'Endpoints of the installation, by state: failing, paused, disabled, or other. Each process exports the same.',
    labelNames: ['state'],
    registers,
    // All processes export the same numbers: their sum would count each endpoint several times.
    aggregator: 'max',
    async collect() {
      const counted = new AbortController();
      const late = sleep(STATES_WITHIN_MS, counted.signal).then(() => ({}));
      const states = await Promise.race([endpointStates().catch(() => ({})), late]);
      counted.abort();
      this.reset();
      for (const [state, count] of Object.entries(states)) this.set({ state }, count);
    },
  });
  return {
    registry,
    httpRequests: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status_code'],
      // 3: an ingest is answered by then, whatever MongoDB does.
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 3, 5],
      registers,
    }),
    ingestedEvents: new Counter({
      name: 'everpost_events_ingested_total',
      help: 'Ingest calls that were answered 202 (accepted) or 200 (duplicate).',
      labelNames: ['result'],
      registers,
    }),
    attempts: new Histogram({
      name: 'everpost_delivery_attempt_duration_seconds',
      help: 'Duration of delivery attempts, by outcome: success, or the error code.',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    firstAttempts: new Counter({
      name: 'everpost_first_attempts_total',
      help: 'Deliveries by who makes their first attempt: an execution in Temporal (workflow), or this process (express).',
      labelNames: ['way'],
      registers,
    }),
    limitedRequests: new Counter({
      name: 'everpost_requests_limited_total',
      help: 'Requests answered 429, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    refusedConnections: new Counter({
      name: 'everpost_connections_refused_total',
      help: 'Connections to the API that were closed because MAX_CONNECTIONS were open.',
      registers,
    }),
  };
}

/** The most connections to `/metrics`: for Prometheus, a health check and a person or two. */
const METRICS_CONNECTIONS = 100;

/** Where the metrics are served, and the server's names there. */
interface MetricsPlace {
  readonly host: string;
  readonly metricsPort: number;
  readonly allowedHosts: readonly string[];
}

/**
 * Serves `/metrics` on a separate port, so that it can stay behind a firewall. A port that is taken is only logged,
 * because nothing else depends on it.
 */
export async function serveMetrics(
  source: { readonly contentType: string; metrics(): Promise<string> },
  { host, metricsPort, allowedHosts }: MetricsPlace,
  logger: Logger,
): Promise<{ readonly url: string; close(): void } | undefined> {
  const isAllowedHost = createHostCheck(allowedHosts);
  const serve: RequestListener = (request, response) => {
    const { host: name } = request.headers;
    if (name !== undefined && !isAllowedHost(name)) {
      response.writeHead(421).end('This server does not answer for the name in the Host header; see ALLOWED_HOSTS.\n');
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    source.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': source.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  const server = createLimitedServer(serve, { maxConnections: METRICS_CONNECTIONS });
  try {
    server.listen(metricsPort, host);
    await once(server, 'listening');
  } catch (error) {
    logger.warn({ err: error }, `metrics can't be served on port ${metricsPort}`);
    return undefined;
  }
  const { port } = server.address() as AddressInfo;
  return { url: `${urlOf(host, port)}/metrics`, close: () => server.close() };
}
