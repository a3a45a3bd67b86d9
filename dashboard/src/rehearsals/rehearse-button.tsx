import { Button } from '@mantine/core';
import { useState } from 'react';
import { lazyDialog } from '../elements/lazy-dialog';
import type { RehearsedChange } from './rehearsal-queries';

const RehearsalDialog = lazyDialog(() => import('./rehearsal-dialog'), 'RehearsalDialog');

interface RehearseButtonProps {
  /** The change as it would be saved; undefined if the form can't be read. */
  readonly read: () => RehearsedChange | undefined;
  /** Whether it has the focus when the form is shown, as after a rehearsal. */
  readonly takesFocus: boolean;
}

/** Shows what a change would have done to the stored events, before it is saved. */
export function RehearseButton({ read, takesFocus }: RehearseButtonProps) {
  const [change, setChange] = useState<RehearsedChange>({});
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => {
    const wanted = read();
    if (!wanted) return;
    setChange(wanted);
    setIsOpen(true);
  };
  return (
    <>
      <Button variant="default" onClick={open} data-autofocus={takesFocus || undefined}>
        Rehearse
      </Button>
      <RehearsalDialog change={change} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
