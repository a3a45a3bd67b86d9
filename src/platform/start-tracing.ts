import { reportExportProblems, useCollectorHeaders } from './collector';
import type { Logger } from './logger';
import { sleep } from './sleep';

/** The longest that a process which stops waits for its last spans to reach the collector. */
const FLUSH_MOST_MS = 5_000;

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
  useCollectorHeaders(headers);
  const { NodeSDK, resources } = await import('@opentelemetry/sdk-node');
  const { defaultResource, envDetector, hostDetector, resourceFromAttributes } = resources;
  const sdk = new NodeSDK({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'everpost' })),
    // Not the process's: it would export the command line and the user.
    resourceDetectors: [envDetector, hostDetector],
    // Metrics have their own exporter, logs are on standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  reportExportProblems(logger);
  sdk.start();
  return {
    async close() {
      const flushed = new AbortController();
      await Promise.race([sdk.shutdown().catch(() => undefined), sleep(FLUSH_MOST_MS, flushed.signal)]);
      flushed.abort();
    },
  };
}
