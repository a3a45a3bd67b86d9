import { Badge } from '@mantine/core';
import { Eraser } from 'lucide-react';

/** Beside an event whose data was erased. */
export function ErasedBadge() {
  return (
    <Badge variant="default" tt="none" ff="text" miw="max-content" leftSection={<Eraser size={12} aria-hidden />}>
      Data erased
    </Badge>
  );
}
