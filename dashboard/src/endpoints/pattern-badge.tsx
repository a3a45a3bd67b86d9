import { Badge } from '@mantine/core';
import { breakable } from '../elements/breakable';

/** A pattern of event types, whole: a long one has several lines. */
export function PatternBadge({ pattern }: { readonly pattern: string }) {
  return (
    <Badge
      variant="default"
      tt="none"
      ff="monospace"
      fw={500}
      h="auto"
      styles={{ label: { overflowWrap: 'anywhere', whiteSpace: 'normal' } }}
    >
      {breakable(pattern)}
    </Badge>
  );
}
