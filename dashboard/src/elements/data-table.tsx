import { Card, Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps {
  /** What it lists, for screen readers. */
  readonly label: string;
  /** Below this many pixels it scrolls sideways. */
  readonly minWidth: number;
  /** Heads of the columns; a text alone stands on the left. */
  readonly columns: readonly Column[];
  /** Its rows. */
  readonly children: ReactNode;
}

export type Column = string | { readonly title: string; readonly align?: 'right'; readonly isHidden?: boolean };

/** A table in a card of its own. What does not fit scrolls, by keyboard too. */
export function DataTable(props: DataTableProps) {
  return (
    <Card withBorder padding={0}>
      <ScrollTable {...props} />
    </Card>
  );
}

/** The table alone, for a card that holds more. */
export function ScrollTable({ label, minWidth, columns, children }: DataTableProps) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing="sm" horizontalSpacing="md" className="figures" highlightOnHover>
        <Table.Thead>
          <Table.Tr>{columns.map((column) => head(typeof column === 'string' ? { title: column } : column))}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function head({ title, align, isHidden = false }: Exclude<Column, string>) {
  return (
    <Table.Th key={title} {...(align && { ta: align })}>
      {isHidden ? <span className="visually-hidden">{title}</span> : title}
    </Table.Th>
  );
}
