import { Badge } from '@mantine/core';

/** Beside what still works, and is no longer to be used. */
export function DeprecatedBadge() {
  return (
    <Badge variant="default" tt="none" miw="max-content">
      Deprecated
    </Badge>
  );
}
