import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountList } from '../api/answers';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { useCreateAccount } from './account-queries';

interface CreateAccountDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly tiers: AccountList['tiers'];
}

/** Creates an account and opens its page. */
export function CreateAccountDialog({ opened, onClose, tiers }: CreateAccountDialogProps) {
  const create = useCreateAccount();
  const navigate = useNavigate();
  const [tier, setTier] = useState<string | null>(null);
  const close = (): void => {
    create.reset();
    setTier(null);
    onClose();
  };
  const submit = onSubmit((typed) => {
    const name = typed('name').trim();
    create.mutate(
      { external_id: typed('external_id').trim(), ...(name !== '' && { name }), ...(tier !== null && { tier }) },
      {
        onSuccess: ({ id: accountId }) => {
          close();
          void navigate({ to: '/dashboard/accounts/$accountId', params: { accountId } });
        },
      },
    );
  });
  return (
    <Modal opened={opened} onClose={close} title="New account" centered>
      <form onSubmit={submit}>
        <Stack>
          <ProblemAlert
            error={create.error}
            title="The account was not created"
            fields={['external_id', 'name', 'tier']}
          />
          <TextInput
            label="External id"
            name="external_id"
            description="Your own id of the customer. It can't be changed later."
            placeholder="cus_42"
            maxLength={128}
            required
            data-autofocus
            error={problemOf(create.error, 'external_id')}
          />
          <TextInput
            label="Name"
            name="name"
            placeholder="Acme Inc."
            maxLength={200}
            error={problemOf(create.error, 'name')}
          />
          <Select
            label="Tier"
            placeholder="The default of accounts created by the API"
            data={tiers.map(({ id, name }) => ({ value: id, label: name }))}
            value={tier}
            onChange={setTier}
            clearable
            error={problemOf(create.error, 'tier')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={create.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create account
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
