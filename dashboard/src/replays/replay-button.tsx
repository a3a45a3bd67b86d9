import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import type { ReplayDraft } from './replay-draft';
import { StartReplayDialog } from './start-replay-dialog';

interface ReplayButtonProps extends ButtonProps {
  /** What the dialog begins with. */
  readonly draft: () => ReplayDraft;
  readonly children: ReactNode;
}

/** Opens the dialog of a bulk replay, and the page of replays once one is started. */
export function ReplayButton({ draft, ...button }: ReplayButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const opener = useRef<HTMLButtonElement>(null);
  const navigate = useNavigate();
  // The dialog is gone at once, and would leave the focus nowhere.
  const closeAndReturn = (): void => {
    close();
    opener.current?.focus();
  };
  return (
    <>
      <Button {...button} ref={opener} onClick={open} />
      {isOpen && (
        <StartReplayDialog
          draft={draft()}
          onClose={closeAndReturn}
          onStarted={() => void navigate({ to: '/dashboard/replays' })}
        />
      )}
    </>
  );
}
