import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { useStartErasure } from './erasure-queries';
import { WhatGoes } from './what-goes';

interface EraseFormProps {
  /** The account's search fields: at least one. */
  readonly fields: readonly string[];
  readonly onClose: () => void;
}

interface EraseByValueDialogProps extends EraseFormProps {
  readonly opened: boolean;
}

/** Asks for a search value, and erases everything that has it. */
export function EraseByValueDialog({ opened, ...form }: EraseByValueDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Erase by value" centered>
      <EraseForm {...form} />
    </Modal>
  );
}

function EraseForm({ fields, onClose }: EraseFormProps) {
  const [field, setField] = useState(fields[0]!);
  const [value, setValue] = useState('');
  const [isSure, setIsSure] = useState(false);
  const start = useStartErasure();
  const submit = onSubmit(() => start.mutate(`${field}:${value}`, { onSuccess: onClose }));
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={start.error} title="The erasure was not started" />
        <Select
          label="Search field"
          data={[...fields]}
          value={field}
          allowDeselect={false}
          onChange={(chosen) => setField(chosen ?? field)}
        />
        <TextInput
          label="Value"
          description="Exactly as in the data. It is not kept: not in the list of erasures, not in the audit log."
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          autoComplete="off"
          required
        />
        <div>
          <WhatGoes />
        </div>
        <Checkbox
          label="Erase the data of every event with this value"
          checked={isSure}
          onChange={({ currentTarget }) => setIsSure(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Go back
          </Button>
          <Button type="submit" color="red" loading={start.isPending} disabled={!isSure || value === ''}>
            Erase
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
