import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { Logger } from './logger';
import { sleep } from './sleep';

/** The longest that a process which stops waits for its last spans to reach the collector. */
const FLUSH_MOST_MS = 5_000;
/** While the collector is away, each batch fails: one of them is logged in this time. */
const SILENT_FOR_MS = 60_000;

/** Traces that are being exported. */
export interface Tracing {
  /** Exports the last spans, or gives them up after 5 s. */
  close(): Promise<void>;
}

/**
 * Exports the spans of this process with OTLP, as the standard variables of OpenTelemetry say: the SDK reads them.
 *
 * @param headers for the collector, which may hold a password
 *
 * The SDK is loaded here, so a process without tracing does not have it in memory.
 */
export async function startTracing(logger: Logger, headers: string | undefined): Promise<Tracing> {
  // oxlint-disable-next-line node/no-process-env -- the SDK reads them nowhere else, and they may come from a file
  if (headers !== undefined) process.env['OTEL_EXPORTER_OTLP_HEADERS'] = headers;
  const { NodeSDK, resources } = await import('@opentelemetry/sdk-node');
  const { defaultResource, envDetector, hostDetector, resourceFromAttributes } = resources;
  const sdk = new NodeSDK({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'everpost' })),
    // Not the process's: it would export the command line and the user.
    resourceDetectors: [envDetector, hostDetector],
    // Metrics are Prometheus's, logs are on standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  logProblems(logger);
  sdk.start();
  return {
    async close() {
      const flushed = new AbortController();
      await Promise.race([sdk.shutdown().catch(() => undefined), sleep(FLUSH_MOST_MS, flushed.signal)]);
      flushed.abort();
    },
  };
}

/** Sends the SDK's own problems to our log. */
function logProblems(logger: Logger): void {
  const log = logger.child({ part: 'opentelemetry' });
  let silentUntil = -Infinity;
  const warn = (message: string): void => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + SILENT_FOR_MS;
    log.warn({ reason: reasonOf(message) }, 'the exporter of traces failed');
  };
  const nothing = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** The SDK describes an error as JSON, with its stack and with what the collector answered. */
function reasonOf(message: string): string {
  try {
    const error = JSON.parse(message) as { readonly message?: string; readonly code?: string };
    return [error.message, error.code].filter(Boolean).join(' ');
  } catch {
    return message;
  }
}
