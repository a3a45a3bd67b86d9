import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { usePause } from './endpoint-queries';

const MAX_REASON = 200;

interface PauseDialogProps {
  readonly id: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Pauses an endpoint, with a reason if the person gives one. */
export function PauseDialog({ id, opened, onClose }: PauseDialogProps) {
  const pause = usePause(id);
  return (
    <Modal opened={opened} onClose={onClose} title="Pause this endpoint?" centered>
      <form onSubmit={onSubmit((typed) => pause.mutate(typed('reason').trim(), { onSuccess: onClose }))}>
        <Stack>
          <TextInput
            label="Reason, if you want to give one"
            name="reason"
            description="The history of the endpoint shows it."
            maxLength={MAX_REASON}
            data-autofocus
          />
          <ProblemAlert error={pause.error} title="The endpoint was not paused" />
          <Group justify="flex-end">
            <Button type="submit" loading={pause.isPending}>
              Pause the endpoint
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
