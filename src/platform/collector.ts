import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { Logger } from './logger';

/** While the collector is away, each batch fails: one of them is logged in this time. */
const SILENT_FOR_MS = 60_000;

/** Gives OpenTelemetry's SDK the headers for the collector, which may come from a file. */
export function useCollectorHeaders(headers: string | undefined): void {
  // oxlint-disable-next-line node/no-process-env -- the SDK reads them nowhere else
  if (headers !== undefined) process.env['OTEL_EXPORTER_OTLP_HEADERS'] = headers;
}

/** Sends the SDK's own problems to our log. */
export function reportExportProblems(logger: Logger): void {
  const log = logger.child({ part: 'opentelemetry' });
  let silentUntil = -Infinity;
  const warn = (message: string): void => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + SILENT_FOR_MS;
    log.warn({ reason: reasonOf(message) }, 'the export to the collector failed');
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
