import { Badge } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';

/** Beside an event that does not match the catalog. */
export function SchemaErrorsBadge() {
  return (
    <Badge
      variant="default"
      tt="none"
      ff="text"
      miw="max-content"
      leftSection={<TriangleAlert size={12} aria-hidden />}
    >
      Schema errors
    </Badge>
  );
}
