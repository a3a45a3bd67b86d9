import { Eraser } from 'lucide-react';
import { ConfirmButton } from '../elements/confirm-button';
import { useEraseEvent } from './erasure-queries';
import { WhatGoes } from './what-goes';

/** Erases the data of an event, after a question. */
export function EraseDataButton({ eventId }: { readonly eventId: number }) {
  const erase = useEraseEvent(eventId);
  return (
    <ConfirmButton
      variant="default"
      size="sm"
      leftSection={<Eraser size={15} aria-hidden />}
      question="Erase the data of this event?"
      consequence={<WhatGoes />}
      verb="Erase the data"
      onConfirm={() => erase.mutateAsync()}
      isPending={erase.isPending}
      error={erase.error}
    >
      Erase data
    </ConfirmButton>
  );
}
