import { Group, Pill, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isEventPattern } from '../../../src/domain/event-pattern';
import { ClearFilters } from '../elements/clear-filters';
import type { ListFilter } from '../elements/list-filter';
import { onSubmit } from '../elements/on-submit';
import { TimeFilter } from './time-filter';

/** A filter that takes one of several values. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

interface FilterBarProps {
  readonly filter: ListFilter;
  readonly choices: readonly Choice[];
  /** Filters that the search sets; each can only be taken away here. */
  readonly found?: readonly { readonly name: string; readonly label: (value: string) => string }[];
  readonly onChange: (filter: ListFilter) => void;
}

/** Narrows a list: by choice, by event type, by time. The filters are in the page's address, so they can be shared. */
export function FilterBar({ filter, choices, found = [], onChange }: FilterBarProps) {
  return (
    <Group mb="md" gap="sm" align="flex-end" role="search" aria-label="Filters">
      {choices.map(({ name, label, options }) => (
        <Select
          key={name}
          label={label}
          placeholder="All"
          data={[...options]}
          value={filter[name] ?? null}
          onChange={(value) => onChange({ ...filter, [name]: value ?? undefined })}
          clearable
          searchable={options.length > 8}
          nothingFoundMessage="Nothing found"
          w={190}
        />
      ))}
      <TypeField
        key={filter['type'] ?? ''}
        type={filter['type'] ?? ''}
        onChange={(type) => onChange({ ...filter, type })}
      />
      <TimeFilter filter={filter} onChange={(times) => onChange({ ...filter, ...times })} />
      {found.map(({ name, label }) => {
        const value = filter[name];
        return (
          value !== undefined && (
            <Pill
              key={name}
              size="lg"
              fz="sm"
              withRemoveButton
              onRemove={() => onChange({ ...filter, [name]: undefined })}
              removeButtonProps={{
                'aria-label': `Remove the filter ${label(value)}`,
                tabIndex: 0,
                'aria-hidden': false,
              }}
            >
              {label(value)}
            </Pill>
          )
        );
      })}
      <ClearFilters
        filter={filter}
        onClear={() => onChange(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])))}
      />
    </Group>
  );
}

interface TypeFieldProps {
  readonly type: string;
  readonly onChange: (type: string | undefined) => void;
}

/** An event type, or a prefix such as `order.*`; `*` is the same as none. */
function TypeField({ type, onChange }: TypeFieldProps) {
  const [isWrong, setIsWrong] = useState(false);
  const submit = onSubmit((typed, form) => {
    const wish = typed('type').trim();
    setIsWrong(wish !== '' && !isEventPattern(wish));
    if (wish === '*') form.reset();
    const wanted = wish === '*' ? '' : wish;
    // The field is submitted whenever it loses the focus, which must not lead back here from another page.
    if (wanted !== type && (wanted === '' || isEventPattern(wanted))) onChange(wanted === '' ? undefined : wanted);
  });
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Event type"
        name="type"
        placeholder="order.created or order.*"
        defaultValue={type}
        error={isWrong && 'Enter a type such as order.created, or order.*'}
        onBlur={({ currentTarget }) => currentTarget.form?.requestSubmit()}
        w={210}
      />
    </form>
  );
}
