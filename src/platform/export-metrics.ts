import type { HrTime } from '@opentelemetry/api';
import type { metrics as sdk } from '@opentelemetry/sdk-node';
import type { Registry } from 'prom-client';
import { randomUUID } from 'node:crypto';
import { reportExportProblems, useCollectorHeaders } from './collector';
import type { Logger } from './logger';

/** How metrics go to a collector; its address is in `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT`, which the exporter reads. */
export interface MetricsExport {
  readonly protocol: 'grpc' | 'http/protobuf' | 'http/json';
  readonly intervalMs: number;
  /** For the collector, which may hold a password. */
  readonly headers: string | undefined;
}

/** A metric as prom-client describes it. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: string | number;
  readonly values: readonly {
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
  }[];
}

/**
 * Sends the metrics of this process to a collector now and then: the same as Prometheus reads at `/metrics`.
 *
 * The SDK is loaded here, so a process without the export does not have it in memory.
 */
export async function startMetricsExport(
  registry: Pick<Registry, 'getMetricsAsJSON'>,
  { protocol, intervalMs, headers }: MetricsExport,
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  useCollectorHeaders(headers);
  const { metrics, resources } = await import('@opentelemetry/sdk-node');
  const { defaultResource, detectResources, envDetector, hostDetector, resourceFromAttributes } = resources;
  const ours = { 'service.name': 'everpost', 'service.instance.id': randomUUID() };
  const resource = defaultResource()
    .merge(resourceFromAttributes(ours))
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    .merge(detectResources({ detectors: [envDetector, hostDetector] }));
  const scope = { name: 'everpost' };
  const collect = async (): Promise<sdk.CollectionResult> => {
    const described = (await registry.getMetricsAsJSON()) as unknown as readonly Described[];
    const time = hrTimeOf(performance.timeOrigin + performance.now());
    const found = described.flatMap((metric) => dataOf(metrics, metric, time) ?? []);
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: found }] }, errors: [] };
  };
  reportExportProblems(logger);
  const reader = new metrics.PeriodicExportingMetricReader({
    exporter: await createExporter(protocol),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, EXPORT_WITHIN_MS),
    metricProducers: [{ collect }],
  });
  const provider = new metrics.MeterProvider({ resource, readers: [reader] });
  return { close: () => provider.shutdown({ timeoutMillis: FLUSH_WITHIN_MS }).catch(() => undefined) };
}

const EXPORT_WITHIN_MS = 10_000;
/** As for the last spans. */
const FLUSH_WITHIN_MS = 5_000;

async function createExporter(protocol: MetricsExport['protocol']): Promise<sdk.PushMetricExporter> {
  if (protocol === 'grpc') return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
  if (protocol === 'http/json') {
    return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
  }
  return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
}

/** A metric of prom-client in OpenTelemetry's form. @returns undefined for a kind that has none */
function dataOf(
  { AggregationTemporality, DataPointType }: typeof sdk,
  { name, help, type, values }: Described,
  endTime: HrTime,
): sdk.MetricData | undefined {
  const startTime = hrTimeOf(performance.timeOrigin);
  // 1: numbers with a fraction, ValueType.DOUBLE.
  const descriptor = { name, description: help, unit: unitOf(name), valueType: 1 };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const points = values.map(({ labels, value }) => ({ startTime, endTime, attributes: labels, value }));
  if (type === 'counter') return { ...common, dataPointType: DataPointType.SUM, dataPoints: points, isMonotonic: true };
  if (type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points };
  if (type !== 'histogram') return undefined;
  const dataPoints = histogramsOf({ name, values }).map(({ attributes, value }) => ({
    ...{ startTime, endTime, attributes, value },
  }));
  return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

/** OpenTelemetry counts each bucket alone, Prometheus with those below it. */
function histogramsOf({ name, values }: Pick<Described, 'name' | 'values'>) {
  const byLabels = new Map<
    string,
    { attributes: Record<string, string | number>; sum: number; upTo: [number, number][] }
  >();
  for (const { metricName, labels, value } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(Object.entries(attributes).sort(([one], [other]) => one.localeCompare(other)));
    const entry = byLabels.get(key) ?? { attributes, sum: 0, upTo: [] };
    byLabels.set(key, entry);
    if (metricName === `${name}_sum`) entry.sum = value;
    if (le !== undefined) entry.upTo.push([le === '+Inf' ? Infinity : Number(le), value]);
  }
  return [...byLabels.values()].map(({ attributes, sum, upTo }) => {
    upTo.sort(([one], [other]) => one - other);
    const boundaries = upTo.map(([bound]) => bound).filter(Number.isFinite);
    const counts = upTo.map(([, count], index) => count - (upTo[index - 1]?.[1] ?? 0));
    return { attributes, value: { buckets: { boundaries, counts }, sum, count: upTo.at(-1)?.[1] ?? 0 } };
  });
}

function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'By' : '';
}

function hrTimeOf(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
}
