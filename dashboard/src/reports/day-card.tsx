import { Card, Stack, Table, Text, Title } from '@mantine/core';
import { ColumnChart } from '../charts/column-chart';
import { ScrollTable } from '../elements/data-table';
import { Folded } from '../elements/folded';
import { utcDay } from '../elements/written-time';
import type { DayRows } from './day-rows';

interface DayCardProps extends DayRows {
  readonly title: string;
  readonly description: string;
  /** Instead of the chart, if every number is 0. */
  readonly none: string;
}

/** Numbers by day, as a chart and as a table. */
export function DayCard({ title, description, none, series, rows }: DayCardProps) {
  const busy = rows.filter(({ counts }) => series.some(({ name }) => counts[name] !== 0));
  const isKnown = rows.some(({ counts }) => series.some(({ name }) => (counts[name] ?? 0) > 0));
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Stack gap={2}>
          <Title order={2}>{title}</Title>
          <Text size="sm" c="dimmed">
            {isKnown ? description : none}
          </Text>
        </Stack>
        {isKnown && (
          <>
            <ColumnChart
              label={title}
              parts={series}
              rows={rows.map(({ day, counts }) => ({
                id: day,
                name: utcDay(day),
                title: utcDay(day),
                values: counts,
              }))}
              format={format}
            />
            <Folded title="Show as a table">
              <ScrollTable
                label={title}
                minWidth={140 + 90 * series.length}
                columns={['Day', ...series.map(({ label }) => ({ title: label, align: 'right' as const }))]}
              >
                {busy.toReversed().map(({ day, counts }) => (
                  <Table.Tr key={day}>
                    <Table.Td>{utcDay(day)}</Table.Td>
                    {series.map(({ name }) => (
                      <Table.Td key={name} ta="right">
                        {counts[name] === null || counts[name] === undefined ? '–' : format(counts[name])}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </ScrollTable>
            </Folded>
          </>
        )}
      </Stack>
    </Card>
  );
}

function format(count: number): string {
  return count.toLocaleString('en');
}
