import type { ChartPart } from './chart-part';
import { ColumnChart } from './column-chart';
import type { AttemptSpan } from './history';
import { HistoryChart, type HistoryProps } from './history-chart';

const PARTS: readonly ChartPart[] = [
  { name: 'succeeded', label: 'Succeeded', color: 'var(--mantine-color-tide-5)' },
  { name: 'failed', label: 'Failed', color: 'var(--mantine-color-red-5)' },
];

/** Answered attempts that succeeded and that failed, by five minutes or by hour, with a table of the same numbers. */
export function AttemptChart({ history }: HistoryProps) {
  return (
    <HistoryChart
      history={history}
      label="Attempts"
      parts={PARTS}
      numbersOf={numbersOf}
      format={format}
      Chart={ColumnChart}
    />
  );
}

function numbersOf({ succeeded, failed }: AttemptSpan) {
  return { succeeded, failed };
}

function format(value: number): string {
  return value.toLocaleString('en');
}
