import type { ChartPart } from './chart-part';
import { ColumnChart } from './column-chart';
import type { AttemptSpan } from './history';
import { HistoryChart, type HistoryProps } from './history-chart';

const PARTS: readonly ChartPart[] = [{ name: 'retries', label: 'Retries', color: 'var(--mantine-color-yellow-5)' }];

/** Answered attempts that were not the first of their delivery, with a table of the same numbers. */
export function RetryChart(props: HistoryProps) {
  return (
    <HistoryChart {...props} label="Retries" parts={PARTS} numbersOf={numbersOf} format={format} Chart={ColumnChart} />
  );
}

function numbersOf({ retries }: AttemptSpan) {
  return { retries };
}

function format(value: number): string {
  return value.toLocaleString('en');
}
