import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazyDialog } from '../elements/lazy-dialog';
import type { ReplayDraft } from './replay-draft';
import { useMay } from '../session/use-may';

const StartReplayDialog = lazyDialog(() => import('./start-replay-dialog'), 'StartReplayDialog');

interface ReplayButtonProps extends ButtonProps {
  /** What the dialog begins with. */
  readonly draft: () => ReplayDraft;
  readonly children: ReactNode;
}

/** Opens the dialog of a bulk replay, and the page of replays once one is started. */
export function ReplayButton({ draft, ...button }: ReplayButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const canReplay = useMay('deliveries:write');
  if (!canReplay) return null;
  return (
    <>
      <Button {...button} onClick={open} />
      <StartReplayDialog
        opened={isOpen}
        draft={draft}
        onClose={close}
        onStarted={() => void navigate({ to: '/dashboard/replays' })}
      />
    </>
  );
}
