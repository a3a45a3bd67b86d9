import { Box, Group, Stack, Text } from '@mantine/core';
import type { Overview } from '../api/answers';
import { breakable } from '../elements/breakable';
import { PageButton, PageLink } from '../elements/links';
import { Ago } from '../elements/time';
import { SchemaErrorsBadge } from '../event-types/schema-errors-badge';
import classes from './rows.module.css';

/** A row for each type whose events do not match the catalog. */
export function SchemaErrorRows({ rows }: { readonly rows: Overview['schema_errors'] }) {
  return rows.map(({ type, count, event_id: eventId, at }) => (
    <Box key={type} component="li" className={classes['row']}>
      <Stack gap={4} className={classes['about']}>
        <Group gap="xs" style={{ overflowWrap: 'anywhere' }}>
          <SchemaErrorsBadge />
          <PageLink to="/dashboard/find" search={{ type }} fw={600} ff="monospace">
            {breakable(type)}
          </PageLink>
        </Group>
        <Text size="sm">
          {count === 1 ? '1 event' : `${count.toLocaleString('en')} events`} of the last 24 hours did not match the
          catalog of event types, the last one <Ago at={at} />
        </Text>
      </Stack>
      <PageButton to="/dashboard/events/$eventId" params={{ eventId: String(eventId) }} variant="default" size="xs">
        Open event {eventId}
      </PageButton>
    </Box>
  ));
}
