import { Combobox, Loader, Stack, Text, TextInput, useCombobox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { ProblemAlert } from '../elements/problem-alert';
import { NothingFound, SearchHelp } from './search-help';
import { optionId, RecentOptions, ResultOptions } from './search-options';
import { useRecentSearches } from './recent-searches';
import type { Result } from './results';
import { useSearch } from './use-search';
import classes from './search.module.css';

interface SearchPanelProps {
  readonly accountId: string;
  readonly onClose: () => void;
}

/** The field, and below it what its text finds. The focus stays in the field; the arrow keys choose, Enter opens. */
export function SearchPanel({ accountId, onClose }: SearchPanelProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const recent = useRecentSearches(accountId);
  const navigate = useNavigate();
  const combobox = useCombobox({ opened: true });
  const text = typed.trim();
  const { found, groups, isFresh, isFetching, error, first } = useSearch(text);
  const options: readonly (Result | string)[] =
    text === '' ? recent.searches : groups.flatMap(({ results }) => results);

  const write = (value: string): void => {
    setTyped(value);
    setChosen(0);
  };
  const choose = (option: Result | string | undefined): void => {
    if (typeof option === 'string') return write(option);
    if (!option) return;
    recent.add(text);
    onClose();
    void navigate(option.target);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // The keys of an input method choose among its own words.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((chosen + step + options.length) % Math.max(1, options.length));
    else if (event.key === 'Escape') onClose();
    else if (event.key !== 'Enter') return;
    else if (text === '' || isFresh) choose(options[chosen]);
    // Enter came before the answer; an error of the search is shown below.
    else first().then(choose, () => undefined);
    event.preventDefault();
  };

  return (
    <Combobox store={combobox} onOptionSubmit={(index) => choose(options[Number(index)])}>
      <Stack gap="sm">
        <Combobox.EventsTarget
          withExpandedAttribute
          withKeyboardNavigation={false}
          aria-activedescendant={options.length > 0 ? optionId(chosen) : undefined}
        >
          <TextInput
            aria-label="Search"
            placeholder="Event id, idempotency key, data, endpoint, order.*"
            value={typed}
            onChange={({ currentTarget }) => write(currentTarget.value)}
            onKeyDown={onKeyDown}
            leftSection={<Search size={16} aria-hidden />}
            rightSection={isFetching && <Loader size="xs" aria-hidden />}
            size="md"
            data-autofocus
          />
        </Combobox.EventsTarget>
        <ProblemAlert error={error} title="The search failed" />
        <Combobox.Options className={classes['list']} aria-label="Results">
          {text === '' && <RecentOptions searches={recent.searches} chosen={chosen} />}
          <ResultOptions groups={groups} chosen={chosen} />
        </Combobox.Options>
        {text === '' && (
          <SearchHelp onLeave={onClose} onClear={recent.searches.length > 0 ? recent.clear : undefined} />
        )}
        <Text role="status" size="sm" c="dimmed" component="div">
          {found && isFresh && options.length > 0 && countOf(options.length)}
          {found && isFresh && options.length === 0 && <NothingFound found={found} text={text} onLeave={onClose} />}
        </Text>
      </Stack>
    </Combobox>
  );
}

function countOf(results: number): string {
  return results === 1
    ? 'One result. Enter opens it.'
    : `${results} results. Choose with the arrow keys, open with Enter.`;
}
