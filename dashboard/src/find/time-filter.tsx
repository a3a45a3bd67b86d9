import { Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SPANS, type ListFilter } from '../elements/list-filter';
import { fromLocalField, localZone, toLocalField } from '../elements/local-time';
import { onSubmit } from '../elements/on-submit';
import { useFieldValues } from '../elements/use-field-values';

const EXACT = 'exact';

interface TimeFilterProps {
  readonly filter: ListFilter;
  readonly onChange: (times: Readonly<Record<'last' | 'after' | 'before', string | undefined>>) => void;
}

/** When events were accepted: in a span until now, or between two times. */
export function TimeFilter({ filter: { last, after, before }, onChange }: TimeFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isExact = after !== undefined || before !== undefined || (isOpen && last === undefined);
  const choose = (value: string | null): void => {
    setIsOpen(value === EXACT);
    if (value !== EXACT) onChange({ last: value ?? undefined, after: undefined, before: undefined });
    else if (last !== undefined) onChange({ last: undefined, after: undefined, before: undefined });
  };
  return (
    <>
      <Select
        label="Time"
        placeholder="Any"
        data={[...SPANS.map(({ value, label }) => ({ value, label })), { value: EXACT, label: 'From – until' }]}
        value={isExact ? EXACT : (last ?? null)}
        onChange={choose}
        clearable
        w={160}
      />
      {isExact && (
        <ExactTimes
          after={after ?? ''}
          before={before ?? ''}
          onChange={(times) => onChange({ last: undefined, ...times })}
        />
      )}
    </>
  );
}

interface ExactTimesProps {
  /** Empty for none. */
  readonly after: string;
  readonly before: string;
  readonly onChange: (times: Readonly<Record<'after' | 'before', string | undefined>>) => void;
}

function ExactTimes({ after, before, onChange }: ExactTimesProps) {
  const shown = { after: toLocalField(after), before: toLocalField(before) };
  const form = useFieldValues(shown);
  const submit = onSubmit((typed) => {
    if (typed('after') === shown.after && typed('before') === shown.before) return;
    onChange({ after: fromLocalField(typed('after')), before: fromLocalField(typed('before')) });
  });
  return (
    <form ref={form} onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TimeField label="From" name="after" defaultValue={shown.after} />
        <TimeField label="Until" name="before" defaultValue={shown.before} />
        <Text size="sm" c="dimmed" pb={8}>
          {localZone()}
        </Text>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Group>
    </form>
  );
}

/** A time that is searched for once the field loses the focus. */
function TimeField(field: { readonly label: string; readonly name: string; readonly defaultValue: string }) {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      step={1}
      onBlur={({ currentTarget }) => currentTarget.form?.requestSubmit()}
      w={210}
    />
  );
}
