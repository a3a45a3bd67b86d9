import { Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { onSubmit } from './on-submit';
import { isEventPattern } from '../../../src/domain/event-pattern';
import { isNarrowed, SPANS, type ListFilter } from './list-filter';
import { exactTime } from './written-time';

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

interface FilterBarProps {
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly choices: readonly Choice[];
  /** Filters that the search sets; each can only be taken away here. */
  readonly found?: readonly { readonly name: string; readonly label: (value: string) => string }[];
  readonly onChange: (filter: Record<string, string | undefined>) => void;
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
      <TimeField
        last={filter['last']}
        after={filter['after']}
        before={filter['before']}
        onChange={(last) => onChange({ ...filter, last, after: undefined, before: undefined })}
      />
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

/** Takes all filters away; nothing while there are none. */
export function ClearFilters({ filter, onClear }: { readonly filter: ListFilter; readonly onClear: () => void }) {
  if (!isNarrowed(filter)) return null;
  return (
    <Button variant="subtle" color="gray" leftSection={<X size={16} aria-hidden />} onClick={onClear}>
      Clear filters
    </Button>
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

interface TimeFieldProps {
  /** A span until now. */
  readonly last: string | undefined;
  /** A time, which only an address written by hand, or a chart's column, leads to. */
  readonly after: string | undefined;
  /** The end of a span, which a chart's column leads to. */
  readonly before: string | undefined;
  readonly onChange: (last: string | undefined) => void;
}

function TimeField({ last, after, before, onChange }: TimeFieldProps) {
  const exact = [after, before].filter((at) => at !== undefined).join('/');
  const span = exact === '' ? [] : [{ value: exact, label: spanInWords(after, before) }];
  return (
    <Select
      label="Time"
      placeholder="Any"
      data={[...SPANS.map(({ value, label }) => ({ value, label })), ...span]}
      value={last ?? (exact === '' ? null : exact)}
      onChange={(value) => value !== exact && onChange(value ?? undefined)}
      clearable
      w={exact === '' ? 160 : before === undefined ? 280 : 420}
    />
  );
}

function spanInWords(after: string | undefined, before: string | undefined): string {
  if (before === undefined) return `Since ${timeOf(after ?? '')}`;
  return after === undefined ? `Before ${timeOf(before)}` : `${timeOf(after)} to ${timeOf(before)}`;
}

/** The time in the reader's format. A text that is not a time stays unchanged. */
function timeOf(after: string): string {
  return Number.isNaN(Date.parse(after)) ? after : exactTime(after);
}
