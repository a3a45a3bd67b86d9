import { Anchor, Box, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { BookOpen, Search } from 'lucide-react';
import { useState } from 'react';
import { surface } from '../api/surface';
import { breakable } from '../elements/breakable';
import { CodeBlock } from '../elements/code-block';
import { EmptyList } from '../elements/empty-state';
import { PageLink } from '../elements/links';
import { Page } from '../shell/page';
import { DeprecatedBadge } from './deprecated-badge';
import type { ListedType } from '../api/answers';
import { describedTypesQuery } from './event-type-queries';
import classes from './event-types.module.css';
import { groupsOf, searchTypes } from './group-types';

const HOW_TO_ADD = `curl -X PUT "${location.origin}/api/v1/event-types/order.created" \\
  -H "Authorization: Bearer $EVERPOST_ADMIN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"group": "Orders", "description": "An order was placed."}'`;

/** The types of events that there are, by group: what receivers can expect. */
export function EventTypesPage() {
  const { data: types } = useSuspenseQuery(describedTypesQuery);
  const { q } = useSearch({ from: '/dashboard/event-types' });
  const navigate = useNavigate();
  // The address follows what is typed; it would be late as the value of the field.
  const [text, setText] = useState(q ?? '');
  const find = (value: string): void => {
    setText(value);
    void navigate({
      to: '/dashboard/event-types',
      search: value === '' ? {} : { q: value },
      replace: true,
      resetScroll: false,
    });
  };
  const found = searchTypes(types, text);
  return (
    <Page title="Event types" description="The events that endpoints can receive, and what their data contains.">
      {types.length > 0 && (
        <Box role="search" aria-label="Event types" mb="md">
          <TextInput
            label="Find"
            type="search"
            placeholder="Name, group or description"
            leftSection={<Search size={16} aria-hidden />}
            value={text}
            onChange={({ currentTarget }) => find(currentTarget.value)}
            maw={460}
          />
        </Box>
      )}
      {found.length === 0 && (
        <EmptyList Icon={BookOpen} noun={['event type', 'event types']} isNarrowed={types.length > 0} hasOlder={false}>
          {surface().isPortal ? 'No event types are described here yet.' : <HowToAdd />}
        </EmptyList>
      )}
      <Stack gap="lg">
        {groupsOf(found).map(({ group, types: members }) => (
          <GroupCard key={group ?? ''} title={group ?? 'Other'} types={members} />
        ))}
      </Stack>
    </Page>
  );
}

function HowToAdd() {
  return (
    <Stack gap="sm">
      <Text>
        The operator of the installation describes its event types with a management key: one by one, or from an{' '}
        <Anchor href="/guides/event-types" underline="always">
          OpenAPI document
        </Anchor>
        . They appear here, in the form of endpoints, and in the portal.
      </Text>
      <CodeBlock label="the command" code={HOW_TO_ADD} wraps />
    </Stack>
  );
}

function GroupCard({ title, types }: { readonly title: string; readonly types: readonly ListedType[] }) {
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      <ul className={classes['list']}>
        {types.map(({ name, description, deprecated }) => (
          <li key={name} className={classes['row']}>
            <Group gap="xs" className={classes['name']}>
              <PageLink to="/dashboard/event-types/$name" params={{ name }} ff="monospace" fw={600}>
                {breakable(name)}
              </PageLink>
              {deprecated && <DeprecatedBadge />}
            </Group>
            {description !== null && (
              <Text size="sm" c="dimmed" lineClamp={3} className={classes['description']}>
                {description}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
