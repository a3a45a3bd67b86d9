import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { newDraft } from './replay-draft';
import { StartReplayDialog } from './start-replay-dialog';

/** After an outage of a receiver: sends everything again that failed for good since then. */
export function RecoverButton({ endpointId }: { readonly endpointId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const navigate = useNavigate();
  return (
    <>
      <Button variant="default" leftSection={<LifeBuoy size={16} aria-hidden />} onClick={open}>
        Recover
      </Button>
      {isOpen && (
        <StartReplayDialog
          draft={newDraft(endpointId)}
          onClose={close}
          onStarted={() => void navigate({ to: '/dashboard/replays' })}
        />
      )}
    </>
  );
}
