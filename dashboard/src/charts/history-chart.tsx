import { Stack, Table, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ComponentType } from 'react';
import { ScrollTable } from '../elements/data-table';
import { Folded } from '../elements/folded';
import { localZone } from '../elements/local-time';
import { minuteOfDay } from '../elements/written-time';
import type { ChartPart, ChartProps } from './chart-part';
import { axisTime, fillSpans, spanTitle, stepInWords, type AttemptHistory, type AttemptSpan } from './history';
import { numberInWords } from './numbers';

/** What a chart of attempts needs. */
export interface HistoryProps {
  /** The answer of `GET …/health`, of an endpoint or of the account. It covers the answer's window. */
  readonly history: AttemptHistory;
  /** Whose attempts they are; the account's without it. */
  readonly endpointId?: string;
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

/**
 * Numbers by span: a picture, and a table of the same numbers for those who can't see it or would rather read it. A span of the
 * picture leads to its deliveries.
 */
export function HistoryChart({ history, endpointId, label, parts, numbersOf, format, Chart }: HistoryChartProps) {
  const { window } = history;
  const rows = useMemo(
    () =>
      fillSpans(history).map((span) => ({
        id: span.from,
        name: axisTime(span.from, history.window),
        title: spanTitle(span.from, history.window),
        ...(stepInWords(history.window) !== 'day' && { minuteOfDay: minuteOfDay(span.from) }),
        values: numbersOf(span),
      })),
    [history, numbersOf],
  );
  const open = useOpenSpan(rows, endpointId);
  if (history.series.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No attempts in this period.
      </Text>
    );
  }
  const title = `${label} by ${stepInWords(window)}`;
  return (
    <Stack gap="xs">
      <Chart label={title} rows={rows} parts={parts} format={format} onOpen={open} />
      <Text size="xs" c="dimmed">
        Times in {localZone()}. Click a time to list the deliveries of the events that were accepted then.
      </Text>
      <Folded title={`${title}, as a table`}>
        <ScrollTable
          label={title}
          minWidth={320}
          columns={['From', ...parts.map((part) => ({ title: part.label, align: 'right' as const }))]}
        >
          {history.series.toReversed().map((span) => (
            <Table.Tr key={span.from}>
              <Table.Td>{spanTitle(span.from, window)}</Table.Td>
              {parts.map((part) => (
                <Table.Td key={part.name} ta="right">
                  {numberInWords(numbersOf(span)[part.name], part, format)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </ScrollTable>
      </Folded>
    </Stack>
  );
}

/** Lists the deliveries of a span. The last span has no end yet. */
function useOpenSpan(rows: ChartProps['rows'], endpointId: string | undefined): NonNullable<ChartProps['onOpen']> {
  const navigate = useNavigate();
  return ({ id: after }) => {
    const next = rows[rows.findIndex(({ id }) => id === after) + 1];
    const search = {
      rows: 'deliveries',
      ...(endpointId !== undefined && { endpoint_id: endpointId }),
      after,
      ...(next && { before: next.id }),
    };
    void navigate({ to: '/dashboard/find', search });
  };
}
