import { latency } from '../elements/time';
import type { ChartPart } from './chart-part';
import type { AttemptSpan } from './history';
import { HistoryChart, type HistoryProps } from './history-chart';
import { LineChart } from './line-chart';

const PARTS: readonly ChartPart[] = [
  { name: 'p50', label: 'p50', color: 'var(--mantine-color-tide-5)', dashes: 'none' },
  { name: 'p95', label: 'p95', color: 'var(--mantine-color-yellow-5)', dashes: '6 3' },
  { name: 'p99', label: 'p99', color: 'var(--mantine-color-red-5)', dashes: '2 3' },
];

/**
 * How long receivers took, as percentiles of the answered attempts of each span, with a table of the same numbers.
 */
export function LatencyChart(props: HistoryProps) {
  return (
    <HistoryChart {...props} label="Latency" parts={PARTS} numbersOf={numbersOf} format={latency} Chart={LineChart} />
  );
}

function numbersOf({ latency_ms: percentiles }: AttemptSpan) {
  return { p50: percentiles?.p50 ?? null, p95: percentiles?.p95 ?? null, p99: percentiles?.p99 ?? null };
}
