import { Button, Group, Select, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { ClearFilters } from '../elements/clear-filters';
import type { ListFilter } from '../elements/list-filter';
import { onSubmit } from '../elements/on-submit';
import { stateLabel } from '../elements/state-badge';
import { useFieldValues } from '../elements/use-field-values';

const STATUSES = ['active', 'suspended', 'deleting'];

interface AccountsFilterBarProps {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
}

/** Narrows the list of accounts: by text, by status. */
export function AccountsFilterBar({ filter, onChange }: AccountsFilterBarProps) {
  const { q = '', status } = filter;
  const form = useFieldValues({ q });
  const search = onSubmit((typed) => onChange({ ...filter, q: typed('q').trim() || undefined }));
  const clear = (): void => {
    // With what was typed and not searched for.
    form.current?.reset();
    onChange({});
  };
  return (
    <form ref={form} onSubmit={search}>
      <Group mb="md" gap="sm" align="flex-end" role="search" aria-label="Filters">
        <TextInput
          label="Find"
          name="q"
          type="search"
          placeholder="Name, external id, e-mail address or id"
          leftSection={<Search size={16} aria-hidden />}
          maxLength={320}
          w={{ base: '100%', sm: 340 }}
        />
        <Select
          label="State"
          placeholder="All"
          data={STATUSES.map((value) => ({ value, label: stateLabel(value) }))}
          value={status ?? null}
          onChange={(value) => onChange({ ...filter, status: value ?? undefined })}
          clearable
          w={190}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
        <ClearFilters filter={filter} onClear={clear} />
      </Group>
    </form>
  );
}
