import { Button, Group, Select, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { onSubmit } from './on-submit';
import { timeBefore } from './time';

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

interface FilterBarProps {
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly choices: readonly Choice[];
  /** Event types to offer; any other may be typed. */
  readonly onChange: (filter: Record<string, string | undefined>) => void;
}

/** Spans that people ask for; the server takes a time. */
const SPANS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
];

/** Narrows a list: by choice, by event type, by time. What is chosen stands in the address, and can be shared. */
export function FilterBar({ filter, choices, onChange }: FilterBarProps) {
  const [span, setSpan] = useState<string | null>(null);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  const chooseSpan = (hours: string | null): void => {
    setSpan(hours);
    const after = hours === null ? undefined : timeBefore(hours);
    onChange({ ...filter, after });
  };
  return (
    <Group mb="md" gap="sm" align="flex-end" role="search" aria-label="Narrow the list">
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
          w={190}
        />
      ))}
      <form onSubmit={onSubmit((typed) => onChange({ ...filter, type: typed('type') || undefined }))}>
        <TextInput
          key={filter['type'] ?? ''}
          label="Event type"
          name="type"
          placeholder="order.created"
          defaultValue={filter['type'] ?? ''}
          onBlur={({ currentTarget }) => currentTarget.form?.requestSubmit()}
          w={190}
        />
      </form>
      <Select
        label="Time"
        placeholder={filter['after'] === undefined ? 'Any' : `Since ${filter['after'].slice(0, 16).replace('T', ' ')}`}
        data={SPANS}
        value={filter['after'] === undefined ? null : span}
        onChange={chooseSpan}
        clearable
        w={160}
      />
      {isNarrowed && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<X size={16} aria-hidden />}
          onClick={() => onChange(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])))}
        >
          Show all
        </Button>
      )}
    </Group>
  );
}
