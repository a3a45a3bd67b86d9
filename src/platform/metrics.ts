import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { createHostCheck } from './allowed-hosts';
import { createLimitedServer, urlOf } from './http-server';
import { inTime, registerInstallation, type InstallationSources } from './installation-metrics';
import type { Logger } from './logger';
import type { PoolUse } from './mongo-pool';
import { ProcessRegistry } from './temporal-metrics';
import type { Readiness } from './readiness';

/** The metrics of this process, for Prometheus. No account, URL or key is ever a label; of a URL, ten hosts at most. */
export interface Metrics {
  readonly registry: Registry;
  readonly httpRequests: Histogram<'method' | 'route' | 'status_code'>;
  readonly ingestedEvents: Counter<'result'>;
  readonly attempts: Histogram<'outcome'>;
  readonly firstAttempts: Counter<'way'>;
  readonly limitedRequests: Counter<'reason'>;
  readonly refusedConnections: Counter;
  readonly exhaustedDeliveries: Counter;
}

/** What is read when Prometheus asks. */
export interface MetricSources extends InstallationSources {
  readonly version: string;
  readonly role: string;
  /** Deliveries that wait in this process, by way. */
  readonly startsWaiting: () => Readonly<Record<string, number>>;
  /** Connections to MongoDB. */
  readonly mongoPool: () => PoolUse;
  readonly isMongoUp: () => Promise<boolean>;
  readonly isTemporalUp: () => Promise<boolean>;
  /** The receivers that get the most attempts now. */
  readonly topReceivers: (count: number) => readonly { readonly receiver: string; readonly attempts: number }[];
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new ProcessRegistry();
  collectDefaultMetrics({ register: registry });
  registerGauges(registry, sources);
  const registers = [registry];
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
    exhaustedDeliveries: new Counter({
      name: 'everpost_deliveries_exhausted_total',
      help: 'Deliveries that failed after their last attempt.',
      registers,
    }),
    refusedConnections: new Counter({
      name: 'everpost_connections_refused_total',
      help: 'Connections to the API that were closed because MAX_CONNECTIONS were open.',
      registers,
    }),
  };
}

/** The gauges. They register themselves, and are read only when Prometheus scrapes. */
function registerGauges(registry: Registry, sources: MetricSources): void {
  const registers = [registry];
  new Gauge({
    name: 'everpost_build_info',
    help: 'Always 1: the version and the role of this process.',
    // Not `role`: Prometheus gives targets this label.
    labelNames: ['version', 'process_role'],
    registers,
    aggregator: 'max',
  }).set({ version: sources.version, process_role: sources.role }, 1);
  void new Gauge({
    name: 'everpost_delivery_starts_waiting',
    help: 'Accepted deliveries that wait in this process: for the start of their execution (workflow), or for a slot (express).',
    labelNames: ['way'],
    registers,
    collect() {
      for (const [way, waiting] of Object.entries(sources.startsWaiting())) this.set({ way }, waiting);
    },
  });
  for (const [server, isUp] of [
    ['mongodb', sources.isMongoUp],
    ['temporal', sources.isTemporalUp],
  ] as const) {
    void new Gauge({
      name: `everpost_${server}_up`,
      help: `Whether ${server === 'mongodb' ? 'MongoDB' : 'Temporal'} answers this process: 1 or 0.`,
      registers,
      // Of several processes, the one that does not reach it.
      aggregator: 'min',
      async collect() {
        this.set((await inTime(isUp, false)) ? 1 : 0);
      },
    });
  }
  void new Gauge({
    name: 'everpost_mongodb_connections',
    help: 'Connections of this process to MongoDB that are in use (in_use), and operations that wait for one (waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, waiting } = sources.mongoPool();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  void new Gauge({
    name: 'everpost_receiver_attempts',
    help: 'Attempts of this process in the current minute to each of the ten receivers (host and port) that get the most.',
    labelNames: ['receiver'],
    registers,
    collect() {
      this.reset();
      for (const { receiver, attempts } of sources.topReceivers(10)) this.set({ receiver }, attempts);
    },
  });
  registerInstallation(registry, sources);
}

/** The most connections to `/metrics`: for Prometheus, a health check and a person or two. */
const METRICS_CONNECTIONS = 100;

/** Where the metrics are served, and the server's names there. */
interface MetricsPlace {
  readonly host: string;
  readonly metricsPort: number;
  readonly allowedHosts: readonly string[];
}

/** What is asked on the port of the metrics. */
interface MetricsSource {
  readonly registry: { readonly contentType: string; metrics(): Promise<string> };
  readonly readiness: () => Promise<Readiness>;
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz` on a separate port, so that it can stay behind a firewall: a worker has no
 * other. A port that is taken is only logged, because nothing else depends on it.
 */
export async function serveMetrics(
  { registry, readiness }: MetricsSource,
  { host, metricsPort, allowedHosts }: MetricsPlace,
  logger: Logger,
): Promise<{ readonly url: string; close(): void } | undefined> {
  const isAllowedHost = createHostCheck(allowedHosts);
  const json = { type: 'application/json; charset=utf-8' };
  const answers: Record<string, () => Promise<{ status: number; type: string; text: string }>> = {
    '/metrics': async () => ({ status: 200, type: registry.contentType, text: await registry.metrics() }),
    '/healthz': async () => ({ status: 200, ...json, text: JSON.stringify({ status: 'ok' }) }),
    '/readyz': async () => {
      const { isReady, status, states } = await readiness();
      return { status: isReady ? 200 : 503, ...json, text: JSON.stringify({ status, ...states }) };
    },
  };
  const serve: RequestListener = (request, response) => {
    const { host: name } = request.headers;
    if (name !== undefined && !isAllowedHost(name)) {
      response.writeHead(421).end('This server does not answer for the name in the Host header; see ALLOWED_HOSTS.\n');
      return;
    }
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    answer().then(
      ({ status, type, text }) => response.writeHead(status, { 'Content-Type': type }).end(text),
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
