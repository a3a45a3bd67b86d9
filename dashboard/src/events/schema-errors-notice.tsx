import { Alert, List, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { EventWithDeliveries } from '../api/answers';
import { PageLink } from '../elements/links';

interface SchemaErrorsNoticeProps {
  readonly type: string;
  readonly errors: NonNullable<EventWithDeliveries['schema_errors']>;
}

/** Where an event does not match the catalog, and what its type contains. */
export function SchemaErrorsNotice({ type, errors }: SchemaErrorsNoticeProps) {
  const isUnknown = errors.some(({ path }) => path === 'type');
  return (
    <Alert
      color="yellow"
      icon={<TriangleAlert size={18} aria-hidden />}
      title="This event does not match the catalog of event types"
    >
      <Text size="sm">
        It was accepted and is delivered like any other.{' '}
        {isUnknown ? (
          <PageLink to="/dashboard/event-types" underline="always">
            Show the event types
          </PageLink>
        ) : (
          <PageLink to="/dashboard/event-types/$name" params={{ name: type }} underline="always">
            Show what {type} contains
          </PageLink>
        )}
      </Text>
      <List size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {errors.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <strong>{path}</strong> {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
