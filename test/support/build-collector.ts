import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, onFreePorts } from '../../dev/ports';
import { eventually } from './eventually';

const ROOT = join(__dirname, '..', '..');

/** Path of the collector; undefined where it was not compiled (`.ci/collector` does it, `.ci/run` calls that). */
function findCollector(): string | undefined {
  const { status, stdout } = spawnSync(join(ROOT, '.ci', 'collector'), ['--installed'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

export const collectorBinary = findCollector();

/** A span as the collector got it. */
export interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Attributes of the process that made it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A metric as the collector got it. */
export interface ExportedMetric {
  readonly name: string;
  readonly sum?: { readonly isMonotonic?: boolean; readonly dataPoints: readonly NumberPoint[] };
  readonly gauge?: { readonly dataPoints: readonly NumberPoint[] };
  readonly histogram?: {
    /** Absent without any. */
    readonly dataPoints?: readonly {
      readonly count: string;
      readonly bucketCounts: readonly string[];
      readonly explicitBounds: readonly number[];
      readonly attributes?: readonly Attribute[];
    }[];
  };
  /** Attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

interface NumberPoint {
  readonly asDouble: number;
  readonly attributes?: readonly Attribute[];
}

/** A real OpenTelemetry collector. It takes all protocols of OTLP, and hands over what it gets. */
export interface Collector {
  /** Settings that make a process send to it. */
  settings(protocol: 'grpc' | 'http/protobuf' | 'http/json'): Record<string, string>;
  readonly spans: readonly ExportedSpan[];
  readonly metrics: readonly ExportedMetric[];
  /** Settings that make a process send its metrics to it, often. */
  metricSettings(protocol: 'grpc' | 'http/protobuf' | 'http/json'): Record<string, string>;
  /** Everything that it got, as it passed it on. */
  text(): string;
  /** Waits until it has that many spans of which `isWanted` is true. */
  waitFor(count: number, isWanted: (span: ExportedSpan) => boolean): Promise<ExportedSpan[]>;
  close(): Promise<void>;
}

/** Starts a collector on free ports, and a server behind it that keeps what the collector exports. */
export async function buildCollector(): Promise<Collector> {
  const folder = await mkdtemp(join(tmpdir(), 'everpost-collector-'));
  const bodies: string[] = [];
  const spans: ExportedSpan[] = [];
  const metrics: ExportedMetric[] = [];
  const behind = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      const sent = JSON.parse(body) as ExportBody | MetricsBody;
      if ('resourceSpans' in sent) spans.push(...readSpans(sent));
      else metrics.push(...readMetrics(sent));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
  const to = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  const { process: collector, ports } = await onFreePorts(
    () => startCollector(folder, to),
    (error) => String(error).includes('address already in use'),
  );
  return {
    settings: (protocol) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${protocol === 'grpc' ? ports.grpc : ports.http}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      // As often as a test wants to see them.
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }),
    spans,
    metrics,
    metricSettings: (protocol) => ({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${protocol === 'grpc' ? ports.grpc : `${ports.http}/v1/metrics`}`,
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    }),
    text: () => bodies.join('\n'),
    waitFor: (count, isWanted) =>
      eventually(
        () => spans.filter(isWanted),
        (found) => found.length >= count,
      ),
    async close() {
      const gone = new Promise((resolve) => void collector.once('exit', resolve));
      collector.kill('SIGKILL');
      await gone;
      behind.closeAllConnections();
      await new Promise((resolve) => void behind.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

/** @throws Error with what it said, if it ends before it is ready */
async function startCollector(folder: string, to: string) {
  const ports = { grpc: await freePort(), http: await freePort() };
  const file = join(folder, 'collector.yaml');
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      receivers: {
        otlp: {
          protocols: {
            grpc: { endpoint: `127.0.0.1:${ports.grpc}` },
            http: { endpoint: `127.0.0.1:${ports.http}` },
          },
        },
      },
      exporters: {
        otlphttp: { endpoint: to, encoding: 'json', compression: 'none', sending_queue: { enabled: false } },
      },
      service: {
        telemetry: { metrics: { level: 'none' } },
        pipelines: {
          traces: { receivers: ['otlp'], exporters: ['otlphttp'] },
          metrics: { receivers: ['otlp'], exporters: ['otlphttp'] },
        },
      },
    }),
  );
  const collector = spawn(collectorBinary!, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  collector.stderr.on('data', (text: Buffer) => (said += String(text)));
  const hasEnded = (): boolean => collector.exitCode !== null || collector.signalCode !== null;
  await eventually(
    () => said,
    (text) => text.includes('Everything is ready') || hasEnded(),
  );
  if (hasEnded()) throw new Error(`the collector ended:\n${said}`);
  return { process: collector, ports };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The parts of an OTLP request in JSON that the tests look at. */
interface ExportBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly kind: number;
        readonly status?: { readonly code?: number };
        readonly attributes?: readonly Attribute[];
      }[];
    }[];
  }[];
}

interface MetricsBody {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly Omit<ExportedMetric, 'resource'>[] }[];
  }[];
}

function readMetrics({ resourceMetrics }: MetricsBody): ExportedMetric[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map((metric) => ({ ...metric, resource: readAttributes(resource.attributes) })),
    ),
  );
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const STATUS_ERROR = 2;

function readSpans({ resourceSpans }: ExportBody): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ attributes, kind, parentSpanId = '', status, ...span }) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId,
        kind: KINDS[kind]!,
        failed: status?.code === STATUS_ERROR,
        attributes: readAttributes(attributes ?? []),
        resource: readAttributes(resource.attributes),
      })),
    ),
  );
}

/** 64-bit integers are texts in this format. */
function readAttributes(list: readonly Attribute[]): Record<string, unknown> {
  const read = ({ intValue, ...other }: Attribute['value']): unknown =>
    intValue === undefined ? Object.values(other)[0] : Number(intValue);
  return Object.fromEntries(list.map(({ key, value }) => [key, read(value)]));
}
