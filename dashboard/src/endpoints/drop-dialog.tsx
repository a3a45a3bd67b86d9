import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { isConfirmed, type Confirmation } from '../replays/replay-time';
import { useCancelDeliveries, type Backlog } from './backlog-queries';
import { numberOf } from './time-to-send';

interface DropFormProps {
  readonly endpointId: string;
  readonly backlog: Backlog;
  readonly onClose: () => void;
}

interface DropDialogProps extends DropFormProps {
  readonly opened: boolean;
}

/** Cancels all that waits for an endpoint, after its number was typed. */
export function DropDialog({ opened, ...form }: DropDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Drop the backlog?" centered>
      <DropForm {...form} />
    </Modal>
  );
}

function DropForm({ endpointId, backlog, onClose }: DropFormProps) {
  const drop = useCancelDeliveries(endpointId);
  const [typed, setTyped] = useState('');
  // As of the opening: the number falls while deliveries are sent, and a person could never type it.
  const [confirmation] = useState(() => confirmationFor(backlog));
  return (
    <form onSubmit={onSubmit(() => drop.mutate(undefined, { onSuccess: onClose }))}>
      <Stack>
        <ProblemAlert error={drop.error} title="Not everything was cancelled" />
        <Text size="sm">
          {numberOf(backlog)} unfinished deliveries to this endpoint are cancelled, also those that wait for a retry. A
          replay of cancelled deliveries can still send them. New events are delivered as usual.
        </Text>
        <TextInput
          label={`To confirm, type ${confirmation.word}`}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Go back
          </Button>
          <Button type="submit" color="red" loading={drop.isPending} disabled={!isConfirmed(confirmation, typed)}>
            Drop the backlog
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function confirmationFor({ deliveries, isLeast }: Backlog): NonNullable<Confirmation> {
  if (isLeast) return { word: 'all', accepted: ['all'] };
  const word = deliveries.toLocaleString('en');
  return { word, accepted: [word, String(deliveries)] };
}
