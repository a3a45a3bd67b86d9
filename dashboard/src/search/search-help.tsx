import { Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SearchAnswer } from '../api/answers';
import { surface } from '../api/surface';
import { PageLink } from '../elements/links';
import { viewerQuery } from '../session/session-queries';

interface SearchHelpProps {
  /** Called when the user goes to the settings. */
  readonly onLeave: () => void;
  /** Clears the recent searches; undefined if there are none. */
  readonly onClear: (() => void) | undefined;
}

/** What can be searched for, before anything is typed. */
export function SearchHelp({ onLeave, onClear }: SearchHelpProps) {
  const { data: me } = useQuery({ ...viewerQuery, enabled: false });
  const fields = me?.account.search_fields ?? [];
  return (
    <Stack gap={4}>
      {onClear && (
        <Group mb="xs">
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onClear}>
            Clear recent searches
          </Button>
        </Group>
      )}
      <Text size="sm" c="dimmed">
        You can search for:
      </Text>
      <List size="sm" c="dimmed" spacing={2}>
        <List.Item>an event id or an idempotency key, in full</List.Item>
        {fields.length > 0 && (
          <List.Item>
            a value in the data, in full: <Code>cus_123</Code> or <Code>{fields[0]} = cus_123</Code> (
            {fields.join(', ')})
          </List.Item>
        )}
        {fields.length === 0 && !surface().isPortal && (
          <List.Item>
            a value in the data of events, once you name its field under <SettingsLink onLeave={onLeave} />
          </List.Item>
        )}
        <List.Item>a part of an endpoint's URL, description or id</List.Item>
        <List.Item>
          how an event type begins: <Code>order.*</Code>
        </List.Item>
      </List>
    </Stack>
  );
}

interface NothingFoundProps {
  readonly found: SearchAnswer;
  readonly text: string;
  /** Called when the user goes to the settings. */
  readonly onLeave: () => void;
}

/** Says what was searched, when that found nothing. */
export function NothingFound({ found, text, onLeave }: NothingFoundProps) {
  const { search_fields: fields, unknown_field: unknown } = found;
  return (
    <Stack gap={4}>
      <Text size="sm" c="var(--mantine-color-text)" fw={600}>
        Nothing found for “{text}”.
      </Text>
      <span>
        Searched: event ids and idempotency keys (in full)
        {fields.length > 0 && `, the data ${fields.length === 1 ? 'field' : 'fields'} ${fields.join(', ')} (in full)`},
        URLs, descriptions and ids of endpoints, and the beginnings of event types.
      </span>
      {!surface().isPortal && unknown !== null && (
        <span>
          “{unknown}” is not a search field of this account. Add it under <SettingsLink onLeave={onLeave} />: it covers
          events from then on.
        </span>
      )}
      {!surface().isPortal && unknown === null && fields.length === 0 && (
        <span>
          To find events by their data, name the fields under <SettingsLink onLeave={onLeave} />.
        </span>
      )}
    </Stack>
  );
}

function SettingsLink({ onLeave }: { readonly onLeave: () => void }) {
  return (
    <PageLink to="/dashboard/settings/search-fields" inherit underline="always" onClick={onLeave}>
      Settings
    </PageLink>
  );
}
