import { Combobox, type ComboboxOptionProps } from '@mantine/core';
import { History } from 'lucide-react';
import { ResultText } from './result-text';
import type { ResultGroup } from './results';
import classes from './search.module.css';

/** The id of the option at this place in the list, for the field that says which one is chosen. */
export function optionId(index: number): string {
  return `search-option-${index}`;
}

interface RecentOptionsProps {
  readonly searches: readonly string[];
  /** The place of the chosen one. */
  readonly chosen: number;
}

/** The last searches, to search again. */
export function RecentOptions({ searches, chosen }: RecentOptionsProps) {
  if (searches.length === 0) return null;
  return (
    <Combobox.Group label="Recent searches">
      {searches.map((search, index) => (
        <Combobox.Option key={search} {...optionProps(index, chosen)}>
          <History size={16} aria-hidden />
          <span className={classes['optionText']}>{search}</span>
        </Combobox.Option>
      ))}
    </Combobox.Group>
  );
}

interface ResultOptionsProps {
  readonly groups: readonly ResultGroup[];
  /** The place of the chosen one among the results of all groups. */
  readonly chosen: number;
}

/** What was found, by kind. */
export function ResultOptions({ groups, chosen }: ResultOptionsProps) {
  const all = groups.flatMap(({ results }) => results);
  return groups.map(({ label, results }) => (
    <Combobox.Group key={label} label={label}>
      {results.map((result) => (
        <Combobox.Option key={result.id} {...optionProps(all.indexOf(result), chosen)}>
          <ResultText result={result} />
        </Combobox.Option>
      ))}
    </Combobox.Group>
  ));
}

function optionProps(index: number, chosen: number): ComboboxOptionProps & { readonly id: string } {
  const isChosen = index === chosen;
  return {
    id: optionId(index),
    value: String(index),
    selected: isChosen,
    'aria-selected': isChosen,
    className: classes['option'],
    ...(isChosen && { ref: scrollIntoView }),
  };
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
