import { lazy } from 'react';
import type { AttemptSpan } from './history';
import { HistoryChart, type HistoryProps } from './history-chart';
import type { ChartPart } from './picture';

const SpanBars = lazy(() => import('./span-bars').then((module) => ({ default: module.SpanBars })));

const PARTS: readonly ChartPart[] = [{ name: 'retries', label: 'Retries', color: 'yellow.5' }];

/** Answered attempts that were not the first of their delivery, with a table of the same numbers. */
export function RetryChart({ history }: HistoryProps) {
  return (
    <HistoryChart
      history={history}
      label="Retries"
      parts={PARTS}
      numbersOf={numbersOf}
      format={format}
      Picture={SpanBars}
    />
  );
}

function numbersOf({ retries }: AttemptSpan) {
  return { retries };
}

function format(value: number): string {
  return value.toLocaleString('en');
}
