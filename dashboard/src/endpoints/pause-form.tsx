import { Button, Stack, TextInput } from '@mantine/core';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { usePause } from './endpoint-queries';

const MAX_REASON = 200;

/** Pauses an endpoint, with a reason if the person gives one. */
export function PauseForm({ id, onPaused }: { readonly id: string; readonly onPaused: () => void }) {
  const pause = usePause(id);
  return (
    <form onSubmit={onSubmit((typed) => pause.mutate(typed('reason').trim(), { onSuccess: onPaused }))}>
      <Stack gap="xs">
        <TextInput
          label="Reason, if you want to give one"
          name="reason"
          description="The history of the endpoint shows it."
          maxLength={MAX_REASON}
          data-autofocus
        />
        <ProblemAlert error={pause.error} title="The endpoint was not paused" />
        <Button type="submit" loading={pause.isPending}>
          Pause the endpoint
        </Button>
      </Stack>
    </form>
  );
}
