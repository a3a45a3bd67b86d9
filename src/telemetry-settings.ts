import { z } from 'zod';
import { httpUrl, requireReadable } from './parse-settings';

/** The address and the protocol of a collector, checked here because OpenTelemetry's SDK would only log a warning. */
export const otlpEndpoint = httpUrl.optional();
export const otlpProtocol = z.enum(['grpc', 'http/protobuf', 'http/json']).optional();
/** Milliseconds. */
export const otlpInterval = z.coerce.number().int().min(1_000).max(3_600_000).default(60_000);

/** What goes to a collector. OpenTelemetry's SDK reads its standard variables itself, except those that are here. */
export function telemetryOf(value: TracingValues & MetricsExportValues, env: NodeJS.ProcessEnv) {
  return {
    /** Whether traces are exported. */
    tracing: isTraced(value, env),
    /** How metrics are exported; undefined if they are not. */
    metricsExport: metricsExportOf(value, env),
    /** `OTEL_EXPORTER_OTLP_HEADERS`, which may be in a file. */
    tracingHeaders: value.OTEL_EXPORTER_OTLP_HEADERS,
  };
}

/** Settings of OpenTelemetry's SDK that name a file: it would only log that it can't read them. */
const filesOf = (signal: 'TRACES_' | 'METRICS_') =>
  ['', signal].flatMap((kind) =>
    ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].map((name) => `OTEL_EXPORTER_OTLP_${kind}${name}`),
  );

interface TracingValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_SDK_DISABLED: boolean;
}

/**
 * Whether traces are exported: a collector's address turns it on.
 *
 * @throws ConfigError naming a setting of the exporter whose file can't be read
 */
function isTraced(value: TracingValues, env: NodeJS.ProcessEnv): boolean {
  const endpoint = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOn = endpoint !== undefined && !value.OTEL_SDK_DISABLED;
  if (isOn) requireReadable(env, filesOf('TRACES_'));
  return isOn;
}

interface MetricsExportValues {
  readonly OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_METRICS_PROTOCOL?: z.output<typeof otlpProtocol>;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL?: z.output<typeof otlpProtocol>;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_METRIC_EXPORT_INTERVAL: number;
  readonly OTEL_SDK_DISABLED: boolean;
}

/**
 * How metrics are exported. A collector's address for them turns it on, the address for all signals does not: whoever
 * exports traces may have Prometheus for the metrics.
 *
 * @throws ConfigError naming a setting of the exporter whose file can't be read
 */
function metricsExportOf(value: MetricsExportValues, env: NodeJS.ProcessEnv) {
  if (value.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT === undefined || value.OTEL_SDK_DISABLED) return undefined;
  requireReadable(env, filesOf('METRICS_'));
  return {
    protocol: value.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? value.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf',
    intervalMs: value.OTEL_METRIC_EXPORT_INTERVAL,
    headers: value.OTEL_EXPORTER_OTLP_HEADERS,
  } as const;
}
