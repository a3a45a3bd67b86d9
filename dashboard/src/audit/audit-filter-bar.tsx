import { Button, Group, Select, TextInput } from '@mantine/core';
import { AUDIT_ACTIONS } from '../../../src/domain/audit-actions';
import type { Endpoint } from '../api/answers';
import { ClearFilters } from '../elements/clear-filters';
import type { ListFilter } from '../elements/list-filter';
import { fromLocalField, toLocalField } from '../elements/local-time';
import { onSubmit } from '../elements/on-submit';
import { useFieldValues } from '../elements/use-field-values';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { describeAction } from './describe-action';

/** Id of the list of names that the field offers. */
const NAMES = 'audit-objects';

interface AuditFilterBarProps {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
}

/** Narrows the log: by action, actor, object, time. */
export function AuditFilterBar({ filter, onChange }: AuditFilterBarProps) {
  const { action, actor = '', object = '', after = '', before = '' } = filter;
  const form = useFieldValues({ actor, object, after: toLocalField(after), before: toLocalField(before) });
  const endpoints = [...useEndpoints().values()];
  const names = [...new Set(endpoints.map(endpointName))];
  const search = onSubmit((typed) =>
    onChange({
      ...{ ...filter, actor: typed('actor') || undefined, object: idOf(endpoints, typed('object')) || undefined },
      ...{ after: fromLocalField(typed('after')), before: fromLocalField(typed('before')) },
    }),
  );
  const clear = (): void => {
    // With what was typed and not searched for.
    form.current?.reset();
    onChange({});
  };
  return (
    <form ref={form} onSubmit={search}>
      <Group mb="md" gap="sm" align="flex-end" role="search" aria-label="Filters">
        <Select
          label="Action"
          placeholder="All"
          data={AUDIT_ACTIONS.map((value) => ({ value, label: describeAction(value) }))}
          value={action ?? null}
          onChange={(value) => onChange({ ...filter, action: value ?? undefined })}
          clearable
          searchable
          w={210}
        />
        <TextInput label="Actor" name="actor" placeholder="E-mail address or id" w={190} />
        <TextInput label="Object" name="object" placeholder="Endpoint, or an id" list={NAMES} w={220} />
        <datalist id={NAMES}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
        <Group gap="sm" align="flex-end">
          <TimeInput label="From" name="after" />
          <TimeInput label="Until" name="before" />
          <Button type="submit" variant="default">
            Search
          </Button>
          <ClearFilters filter={filter} onClear={clear} />
        </Group>
      </Group>
    </form>
  );
}

function TimeInput(input: { readonly label: string; readonly name: string }) {
  return <TextInput {...input} type="datetime-local" step={1} w={210} />;
}

/** The id of the endpoint with this name; any other text is an id itself. */
function idOf(endpoints: readonly Endpoint[], text: string): string {
  const wanted = text.trim();
  return endpoints.find((endpoint) => endpointName(endpoint) === wanted)?.id ?? wanted;
}
