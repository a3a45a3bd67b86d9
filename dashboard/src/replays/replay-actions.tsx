import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Replay } from '../api/answers';
import { ConfirmButton } from '../elements/confirm-button';
import { lazyDialog } from '../elements/lazy-dialog';
import { ProblemAlert } from '../elements/problem-alert';
import { useCancelReplay, useChangeReplay } from './replay-queries';
import { useMay } from '../session/use-may';

const ReplayRateDialog = lazyDialog(() => import('./replay-rate-dialog'), 'ReplayRateDialog');

/** What can be done with a running replay. */
export function ReplayActions({ replay }: { readonly replay: Replay }) {
  const change = useChangeReplay(replay.job_id);
  const cancel = useCancelReplay(replay.job_id);
  const [isOpen, { open, close }] = useDisclosure(false);
  const canReplay = useMay('deliveries:write');
  const { paused } = replay;
  if (!canReplay) return null;
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ paused: !paused })}
        >
          {paused ? 'Resume' : 'Pause'}
          <span className="visually-hidden"> the replay</span>
        </Button>
        <Button size="compact-sm" variant="default" onClick={open}>
          Change the rate
        </Button>
        <ConfirmButton
          size="compact-sm"
          variant="default"
          question="Stop this replay?"
          consequence="Deliveries that it has sent again continue. The others stay as they are."
          verb="Stop the replay"
          onConfirm={() => cancel.mutateAsync()}
          isPending={cancel.isPending}
          error={cancel.error}
        >
          Stop
        </ConfirmButton>
      </Group>
      <ProblemAlert error={change.error} title="The replay was not changed" />
      <ReplayRateDialog replay={replay} opened={isOpen} onClose={close} />
    </Stack>
  );
}
