import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedKey } from '../api/answers';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { meQuery } from '../session/session-queries';
import { useCreateKey } from './key-queries';

interface CreateKeyFormProps {
  /** Fixed when a key is to replace another one. */
  readonly product?: string;
  readonly label?: string;
  readonly onCreated: (key: CreatedKey) => void;
  readonly onCancel: () => void;
}

/** Product and label of a new key. */
export function CreateKeyForm({ product, label, onCreated, onCancel }: CreateKeyFormProps) {
  const { data: me } = useQuery(meQuery);
  const create = useCreateKey();
  const [chosen, setChosen] = useState(product ?? 'weh');
  const submit = onSubmit((typed) =>
    create.mutate({ product: chosen, label: typed('label') }, { onSuccess: onCreated }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={create.error} title="The key was not made" />
        <Select
          label="Product"
          description="A key opens exactly one product, for its whole life."
          data={(me?.products ?? []).map(({ prefix, name }) => ({ value: prefix, label: name }))}
          value={chosen}
          onChange={(value) => setChosen(value ?? chosen)}
          allowDeselect={false}
          disabled={product !== undefined}
        />
        <TextInput
          label="Label"
          name="label"
          description="Where it is used, so that you know it again: production, staging, CI."
          defaultValue={label}
          maxLength={100}
          required
          data-autofocus
          error={problemOf(create.error, 'label')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
