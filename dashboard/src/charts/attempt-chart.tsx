import { shareOf } from '../elements/with-unit';
import type { ChartPart } from './chart-part';
import { ColumnChart } from './column-chart';
import type { AttemptSpan } from './history';
import { HistoryChart, type HistoryProps } from './history-chart';

const PARTS: readonly ChartPart[] = [
  { name: 'succeeded', label: 'Succeeded', color: 'var(--mantine-color-tide-5)' },
  { name: 'failed', label: 'Failed', color: 'var(--mantine-color-red-5)' },
  {
    name: 'rate',
    label: 'Failure rate',
    color: 'var(--mantine-color-text)',
    dashes: 'none',
    format: (rate) => shareOf(rate, 1),
  },
];

/** Answered attempts that succeeded and that failed, and the failed part of them, with a table of the same numbers. */
export function AttemptChart(props: HistoryProps) {
  return (
    <HistoryChart {...props} label="Attempts" parts={PARTS} numbersOf={numbersOf} format={format} Chart={ColumnChart} />
  );
}

function numbersOf({ attempts, succeeded, failed }: AttemptSpan) {
  return { succeeded, failed, rate: attempts === 0 ? null : failed / attempts };
}

function format(value: number): string {
  return value.toLocaleString('en');
}
