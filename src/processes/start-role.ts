import type { Registry } from 'prom-client';
import { tellOutages } from '../alerts/tell-outages';
import { tellQuotas } from '../alerts/tell-quotas';
import { runDeletions } from '../account-lifecycle/delete-account';
import { chainAudit } from '../accounts/chain-audit';
import { compose, type Composition } from '../wiring/compose';
import { composeApi } from '../wiring/compose-api';
import { readinessChecks } from '../wiring/readiness-checks';
import { ConfigError, type Config } from '../config';
import { createSweeper, createTerminationRecorder, type SweeperTiming } from '../engine/sweeper';
import { awaitOurKeys } from '../endpoints/check-keys';
import { endRotations } from '../endpoints/rotate-secret';
import { eraseLateAnswers, runErasures } from '../erasures/run-erasures';
import { keepHeldAttempts } from '../events/keep-held-attempts';
import { migrateRetention } from '../events/migrate-retention';
import { createApp } from '../app';
import { createPeerLimits } from '../limits/middleware';
import { headersOfMalformed } from '../http/security-headers';
import { listen } from '../http/server';
import { defaultMaxConnections } from '../platform/http-server';
import type { Logger } from '../platform/logger';
import { serveMetrics } from '../platform/metrics';
import { createMongo, type Mongo } from '../platform/mongo';
import { patchedRelease } from '../platform/mongo-version';
import { runPeriodically, type Periodic } from '../platform/periodic';
import { startMetricsExport } from '../platform/export-metrics';
import type { JobTiming } from '../platform/run-jobs';
import { startTracing } from '../platform/start-tracing';
import { createTemporalLink, type TemporalLink } from '../platform/temporal';
import { askReadiness, type Readiness } from '../platform/readiness';
import { runReplays } from '../replays/run-replays';
import { startWorker } from '../worker';

/** `api` accepts events, `worker` delivers them, `all` does both in one process, which is fastest. */
export const ROLES = ['api', 'worker', 'all'] as const;
export type Role = (typeof ROLES)[number];

const INDEXES_RETRY_MS = 2_000;

/** A role that runs. */
export interface RunningRole {
  /** Address of the API; undefined for a worker. */
  readonly url: string | undefined;
  readonly metricsUrl: string | undefined;
  /** Resolves once the worker polls and has the keys of the sealed secrets; at once for an API. */
  readonly workerReady: Promise<void>;
  /** Resolves once MongoDB has all indexes; until then lists get 503 (`list_not_ready`). */
  readonly indexesReady: Promise<void>;
  /** Whether it can do its work now. */
  readonly readiness: () => Promise<Readiness>;
  /** Becomes unready, stops accepting, drains, and closes clients; attempts under way get 35 s. */
  close(): Promise<void>;
}

/** Differences from a role with its own process; only tests change the timings. */
export interface RoleOptions {
  /** The sweeper's intervals: minutes in production, which a test can't wait. */
  readonly sweeperTiming?: SweeperTiming;
  /** The same for bulk replays and erasures. */
  readonly jobTiming?: JobTiming;
  /** False if another process serves the metrics. */
  readonly servesMetrics?: boolean;
  /** The connection to MongoDB, which a test watches. */
  readonly mongo?: Mongo;
}

/**
 * Runs a role against the configured servers. Resolves as soon as the API listens; neither role needs Temporal to be
 * up.
 *
 * @throws ConfigError when a setting that the role needs is missing, or when the API can't listen at `HOST` and `PORT`
 */
export async function startRole(
  role: Role,
  config: Config,
  logger: Logger,
  { sweeperTiming, jobTiming, servesMetrics = true, mongo: given }: RoleOptions = {},
): Promise<RunningRole & { readonly registry: Registry }> {
  const { uri, address } = requireServers(config);
  const tracing = config.tracing ? await startTracing(logger, config.tracingHeaders) : undefined;
  const mongo = given ?? createMongo(uri, logger);
  const temporal = createTemporalLink({ ...config.temporal, address }, logger);
  const platform = { config, logger, mongo, temporal };
  const parts = compose(platform, role);
  let accepting = true;
  const indexing = createIndexes(parts.ensureIndexes, logger);
  void indexing.done.then(() => warnOfUnpatchedMongo(mongo, logger));
  const keys = awaitOurKeys(parts.keyCheck, logger);

  const { attempts, dispatcher } = parts;
  const worker =
    role === 'api' ? undefined : startWorker({ ...parts.stores, ...platform, attempts, eager: role === 'all' });
  const { failingAfterMs } = config.delivery;
  const about = {
    temporal,
    logger,
    needsTemporal: config.delivery.firstAttempt === 'workflow',
    indexesReady: indexing.done,
    sweeperTiming,
    jobTiming,
    failingAfterMs,
  };
  const rounds = role === 'api' ? [] : startRounds(parts, about);
  const isAccepting = (): boolean => accepting;
  const checks = readinessChecks(platform, role !== 'worker');
  const lifetime = { isAccepting, hasIndexes: indexing.isDone, hasOurKeys: keys.isFit, checks };
  const api = role === 'worker' ? undefined : composeApi(platform, parts, lifetime);
  const server = api && (await listenWith(api.app, parts, config));
  const { registry } = parts.metrics;
  let polls = false;
  void worker?.ready().then(() => (polls = true));
  const readiness =
    api?.app.health.readiness ?? (() => askReadiness(checks, { isAccepting, hasStarted: () => polls && keys.isFit() }));
  const metrics = await publishMetrics({ registry, readiness, servesMetrics }, config, logger);

  return {
    url: server?.url,
    metricsUrl: metrics.url,
    registry,
    readiness,
    workerReady: worker ? Promise.all([worker.ready(), keys.fit]).then(() => undefined) : Promise.resolve(),
    indexesReady: indexing.done,
    async close() {
      accepting = false;
      indexing.stop();
      keys.stop();
      await server?.close();
      await Promise.all([
        attempts.close(),
        // A look under way still dispatches what it releases.
        parts.gate.close().then(() => dispatcher.close()),
        ...rounds.map((round) => round.close()),
        worker?.close(),
      ]);
      // The worker's last tasks may have begun attempts since then, which continue in the background.
      await attempts.close();
      await attempts.deps.sender.close();
      await parts.answerLog.close();
      await metrics.close();
      await api?.close();
      await temporal.close();
      await mongo.close();
      await tracing?.close();
    },
  };
}

/** Serves the metrics to Prometheus, and exports them to a collector, where either is configured. */
async function publishMetrics(
  source: Parameters<typeof serveMetrics>[0] & { readonly registry: Registry; readonly servesMetrics: boolean },
  config: Config,
  logger: Logger,
) {
  const exporting = config.metricsExport && (await startMetricsExport(source.registry, config.metricsExport, logger));
  const served = source.servesMetrics ? await serveMetrics(source, config, logger) : undefined;
  return {
    url: served?.url,
    async close(): Promise<void> {
      served?.close();
      await exporting?.close();
    },
  };
}

/** A worker's periodic work. Each has one owner among all workers, by a lease or a claim in MongoDB. */
function startRounds(
  { stores, owner, dispatcher, executions, gate, budget, startRun, retryRun, channels }: Composition,
  about: {
    readonly temporal: TemporalLink;
    readonly logger: Logger;
    readonly needsTemporal: boolean;
    readonly indexesReady: Promise<void>;
    readonly sweeperTiming: SweeperTiming | undefined;
    readonly jobTiming: JobTiming | undefined;
    readonly failingAfterMs: number;
  },
): readonly Periodic[] {
  const { sweeperTiming, jobTiming, failingAfterMs, ...rest } = about;
  const common = { ...stores, ...rest, owner };
  return [
    createSweeper({ ...common, dispatcher, executions, gate }, sweeperTiming),
    createTerminationRecorder({ ...common, executions, gate }),
    runReplays({ ...common, budget, startRun, retryRun }, jobTiming),
    runErasures({ ...common, executions }, jobTiming),
    eraseLateAnswers(common),
    endRotations(common),
    runDeletions(common),
    keepHeldAttempts(common),
    migrateRetention(common),
    chainAudit(common),
    tellOutages({ ...common, channels: channels.outages, failingAfterMs }),
    tellQuotas({ ...common, channels: channels.quotas }),
  ];
}

/**
 * Logs which release of MongoDB closes a hole of the server. Nothing depends on it, so a server without a version is
 * fine.
 */
async function warnOfUnpatchedMongo(mongo: Mongo, logger: Logger): Promise<void> {
  const version = await mongo.version().catch(() => '');
  const release = patchedRelease(version);
  if (release === undefined) return;
  logger.warn(
    { version, patched: release },
    `MongoDB ${version} lets anyone who reaches its port read its memory (CVE-2025-14847): run ${release} or later`,
  );
}

/** Serves the API. @throws ConfigError with the system's code when it can't listen at `HOST` and `PORT` */
async function listenWith(
  deps: Parameters<typeof createApp>[0],
  { metrics }: Composition,
  { host, port, limits }: Config,
) {
  const { maxConnections = defaultMaxConnections() } = limits;
  const onRefused = (): void => metrics.refusedConnections.inc();
  const app = createApp(deps);
  try {
    const at = { host, port, maxConnections, onRefused };
    const limitsOf = createPeerLimits(deps.authenticate.authFailures);
    const always = headersOfMalformed(deps.publicUrl);
    return await listen(app, at, (peer) => ({ ...always, ...limitsOf(peer) }));
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const refusal = new ConfigError(`The API can't listen on port ${port} (PORT) of ${host} (HOST): ${message}`);
    throw Object.assign(refusal, { code });
  }
}

/** The servers of a production role. @throws ConfigError when one of them, or the encryption key, is not set */
export function requireServers(config: Config): { uri: string; address: string } {
  const { uri } = config.mongodb;
  const { address } = config.temporal;
  if (uri === undefined || address === undefined || config.encryptionKeys.length === 0) {
    throw new ConfigError(
      'Set MONGODB_URI, TEMPORAL_ADDRESS and ENCRYPTION_KEY (see .env.example), or use `npm start`, which starts its own servers.',
    );
  }
  return { uri, address };
}

interface Indexing {
  readonly done: Promise<void>;
  readonly isDone: () => boolean;
  stop(): void;
}

/** Creates the indexes as soon as MongoDB is up. If stopped before that, `done` never resolves. */
function createIndexes(work: () => Promise<void>, logger: Logger): Indexing {
  const failure = 'the indexes could not be created yet';
  const stop = new AbortController();
  let isDone = false;
  const done = new Promise<void>((resolve) => {
    const trying = runPeriodically({ intervalMs: INDEXES_RETRY_MS, logger, failure }, async () => {
      await work();
      isDone = true;
      resolve();
      stop.abort();
    });
    stop.signal.addEventListener('abort', () => void trying.close());
  });
  return { done, isDone: () => isDone, stop: () => stop.abort() };
}
