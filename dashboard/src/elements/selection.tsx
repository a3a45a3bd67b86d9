import { Checkbox } from '@mantine/core';

/** The column of a table whose rows can be selected. */
export const SELECT = { title: 'Select', isHidden: true } as const;

interface SelectionProps {
  /** Ids of the selected rows. Some may not be shown any more. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

interface SelectAllProps extends SelectionProps {
  /** Ids of the rows that are shown. */
  readonly ids: readonly string[];
}

/** Selects every row that is shown, or none; says how many are. */
export function SelectAll({ ids, selected, onSelect }: SelectAllProps) {
  const count = ids.filter((id) => selected.has(id)).length;
  const isAll = count === ids.length;
  return (
    <Checkbox
      label={count === 0 ? `Select all ${ids.length} shown` : `${count} selected`}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => onSelect(new Set(isAll ? [] : ids))}
    />
  );
}

interface SelectRowProps extends SelectionProps {
  readonly id: string;
  /** What is selected: `Select event 42`. */
  readonly label: string;
}

/** Selects one row. */
export function SelectRow({ id, label, selected, onSelect }: SelectRowProps) {
  const toggle = (): void => {
    const others = [...selected].filter((it) => it !== id);
    onSelect(new Set(selected.has(id) ? others : [...others, id]));
  };
  return <Checkbox checked={selected.has(id)} onChange={toggle} aria-label={label} />;
}
