import { Stack, Table, Text } from '@mantine/core';
import { useMemo, type ComponentType } from 'react';
import { ScrollTable } from '../elements/data-table';
import { Folded } from '../elements/folded';
import { dayAndTime, minuteOfDay } from '../elements/written-time';
import type { ChartPart, ChartProps } from './chart-part';
import { axisTime, fillSpans, grainInWords, type AttemptHistory, type AttemptSpan } from './history';

/** What a chart of attempts needs. */
export interface HistoryProps {
  /** The answer of `GET …/health`, of an endpoint or of the account. It covers the answer's window. */
  readonly history: AttemptHistory;
}

interface HistoryChartProps extends HistoryProps {
  /** What it shows, as the start of a sentence: `Attempts`. */
  readonly label: string;
  readonly parts: readonly ChartPart[];
  /** The numbers of a span, by the names of the parts; null for none. */
  readonly numbersOf: (span: AttemptSpan) => Readonly<Record<string, number | null>>;
  readonly format: (value: number) => string;
  /** Draws it. */
  readonly Chart: ComponentType<ChartProps>;
}

/** Numbers by span: a picture, and a table of the same numbers for those who can't see it or would rather read it. */
export function HistoryChart({ history, label, parts, numbersOf, format, Chart }: HistoryChartProps) {
  const rows = useMemo(
    () =>
      fillSpans(history).map((span) => ({
        id: span.from,
        name: axisTime(span.from, history.window),
        title: dayAndTime(span.from),
        minuteOfDay: minuteOfDay(span.from),
        values: numbersOf(span),
      })),
    [history, numbersOf],
  );
  if (history.series.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No attempts in this period.
      </Text>
    );
  }
  const title = `${label} by ${grainInWords(history.window)}`;
  return (
    <Stack gap="xs">
      <Chart label={title} rows={rows} parts={parts} format={format} />
      <Folded title={`${title}, as a table`}>
        <ScrollTable
          label={title}
          minWidth={320}
          columns={['From', ...parts.map((part) => ({ title: part.label, align: 'right' as const }))]}
        >
          {history.series.toReversed().map((span) => (
            <Table.Tr key={span.from}>
              <Table.Td>{dayAndTime(span.from)}</Table.Td>
              {parts.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {cell(numbersOf(span)[name], format)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </ScrollTable>
      </Folded>
    </Stack>
  );
}

function cell(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}
