import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

/** Where Temporal's SDK serves its metrics: it is installed once in a process, like them. */
let address: string | undefined;

const READ_WITHIN_MS = 2_000;

/**
 * Chooses where Temporal's SDK serves its metrics to this process alone: a free port on loopback, because the SDK hands
 * them out in no other way. `exclusive`, because Node gives all processes of a cluster the same free port otherwise.
 *
 * @returns `host:port`
 */
export async function chooseTemporalMetrics(): Promise<string> {
  const probe = createServer().listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  address = `127.0.0.1:${port}`;
  return address;
}

/** The metrics of Temporal's SDK as Prometheus's text; empty if the SDK serves none, or not in time. */
async function readTemporalMetrics(): Promise<string> {
  if (address === undefined) return '';
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(READ_WITHIN_MS) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}

/** The registry of a process: its own metrics, and those of Temporal's SDK. */
export class ProcessRegistry extends Registry {
  override async metrics(): Promise<string> {
    const [own, temporal] = await Promise.all([super.metrics(), readTemporalMetrics()]);
    return `${own}${temporal}`;
  }

  /** For the sums over the processes of `PROCESSES`. */
  override async getMetricsAsJSON(): Promise<Awaited<ReturnType<Registry['getMetricsAsJSON']>>> {
    const [own, temporal] = await Promise.all([super.getMetricsAsJSON(), readTemporalMetrics()]);
    return [...own, ...(parseMetrics(temporal) as unknown as typeof own)];
  }
}

/** A metric as prom-client passes it between processes. */
interface ParsedMetric {
  readonly name: string;
  help: string;
  readonly type: string;
  readonly aggregator: 'sum';
  readonly values: { metricName: string; labels: Record<string, string>; value: number }[];
}

/** Parses Prometheus's text, as far as Temporal's SDK uses it: each metric has a line with its type before its values. */
export function parseMetrics(text: string): ParsedMetric[] {
  const metrics: ParsedMetric[] = [];
  let help = '';
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'HELP') help = rest;
    if (kind === 'TYPE') {
      metrics.push({ name, help: help || name, type: rest, aggregator: 'sum', values: [] });
      help = '';
    }
    const [, metricName, pairs = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (metricName === undefined) continue;
    const labels = [...pairs.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text_]) => [label, text_]);
    metrics
      .at(-1)
      ?.values.push({ metricName, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) });
  }
  return metrics;
}
