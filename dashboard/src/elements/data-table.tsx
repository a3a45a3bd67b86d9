import { Card, Table, type TableTdProps } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './data-table.module.css';

interface DataTableProps {
  /** What it lists, for screen readers. */
  readonly label: string;
  /** Below this many pixels it scrolls sideways, unless the window is as narrow as a phone's. */
  readonly minWidth: number;
  /** Heads of the columns; a text alone stands on the left. */
  readonly columns: readonly Column[];
  /** Its rows. */
  readonly children: ReactNode;
}

export type Column = string | { readonly title: string; readonly align?: 'right'; readonly isHidden?: boolean };

/**
 * A table in a card of its own. What does not fit scrolls, by keyboard too. On a phone, each row is a card: the cell with
 * a `StateBadge` first, then the other cells, each behind the head of its column.
 */
export function DataTable(props: DataTableProps) {
  return (
    <Card withBorder padding={0}>
      <ScrollTable {...props} />
    </Card>
  );
}

/** The table alone, for a card that holds more. */
export function ScrollTable({ label, minWidth, columns, children }: DataTableProps) {
  const heads = columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={label}
      classNames={{ scrollContainerInner: classes['inner']! }}
    >
      <Table
        verticalSpacing="sm"
        horizontalSpacing="sm"
        className={`${classes['table']} figures`}
        style={labelsOf(heads)}
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>{heads.map(head)}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The cell of a user's own text: however long it is, the other columns keep their width. */
export function NameCell(props: TableTdProps) {
  return <Table.Td className={classes['name']} {...props} />;
}

type Head = Exclude<Column, string>;

function head({ title, align, isHidden = false }: Head) {
  return (
    <Table.Th key={title} {...(align && { ta: align })}>
      {isHidden ? <span className="visually-hidden">{title}</span> : title}
    </Table.Th>
  );
}

/** What stands before the cells on a phone, for the style sheet: `--label-1: "Event"`, or no room for it. */
function labelsOf(heads: readonly Head[]): CSSProperties {
  return Object.fromEntries(
    heads.map(({ title, isHidden = false }, index) =>
      isHidden ? [`--indent-${index + 1}`, '0px'] : [`--label-${index + 1}`, JSON.stringify(title)],
    ),
  );
}
