import { lazy } from 'react';
import { latency } from '../elements/time';
import type { AttemptSpan } from './history';
import { HistoryChart, type HistoryProps } from './history-chart';
import type { ChartPart } from './picture';

const SpanLines = lazy(() => import('./span-lines').then((module) => ({ default: module.SpanLines })));

const PARTS: readonly ChartPart[] = [
  { name: 'p50', label: 'p50', color: 'tide.5' },
  { name: 'p95', label: 'p95', color: 'yellow.5', strokeDasharray: '6 3' },
  { name: 'p99', label: 'p99', color: 'red.5', strokeDasharray: '2 3' },
];

/**
 * How long receivers took, as percentiles of the answered attempts of five minutes or of an hour, with a table of the
 * same numbers.
 */
export function LatencyChart({ history }: HistoryProps) {
  return (
    <HistoryChart
      history={history}
      label="Latency"
      parts={PARTS}
      numbersOf={numbersOf}
      format={latency}
      Picture={SpanLines}
    />
  );
}

function numbersOf({ latency_ms: percentiles }: AttemptSpan) {
  return { p50: percentiles?.p50 ?? null, p95: percentiles?.p95 ?? null, p99: percentiles?.p99 ?? null };
}
