import { Table } from '@mantine/core';
import type { Overview } from '../api/answers';
import { ScrollTable } from '../elements/data-table';
import { Folded } from '../elements/folded';
import { OUTCOMES } from './outcomes';

/** The figures of the chart, for those who would rather read them. */
export function HourTable({ hours }: Pick<Overview, 'hours'>) {
  const busy = hours.filter((hour) => OUTCOMES.some(({ name }) => hour[name] > 0)).toReversed();
  return (
    <Folded title="Show as a table">
      <ScrollTable
        label="Deliveries by hour"
        minWidth={420}
        columns={['Hour', ...OUTCOMES.map(({ label }) => ({ title: label, align: 'right' as const }))]}
      >
        {busy.map((hour) => (
          <Table.Tr key={hour.from}>
            <Table.Td>{hourName(hour.from)}</Table.Td>
            {OUTCOMES.map(({ name }) => (
              <Table.Td key={name} ta="right">
                {hour[name].toLocaleString('en')}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </ScrollTable>
    </Folded>
  );
}

function hourName(from: string): string {
  return new Date(from).toLocaleString('en', { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric' });
}
