import { Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../api/answers';
import { CodeBlock } from '../elements/code-block';
import { viewerQuery } from '../session/session-queries';
import { optionsInWords } from './options-in-words';
import { PatternBadge } from './pattern-badge';

/** Which events an endpoint gets, and how. */
export function SettingsCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const { events, options, metadata, external_id: externalId } = endpoint;
  const { data: me } = useQuery(viewerQuery);
  return (
    <Card withBorder padding="lg" component="section" aria-label="Delivery settings">
      <Stack>
        <Title order={2}>Delivery settings</Title>
        <Group gap={6}>
          <Text size="sm">{events.includes('*') ? 'Every event' : 'Events of these types'}:</Text>
          {events.map((pattern) => (
            <PatternBadge key={pattern} pattern={pattern} />
          ))}
        </Group>
        {options.filter !== null && (
          <CodeBlock
            title="Only events whose data matches"
            label="the filter"
            code={JSON.stringify(options.filter, null, 2)}
          />
        )}
        <List spacing={4} size="sm">
          {optionsInWords(options, me?.retry_schedule).map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
        {externalId !== null && <CodeBlock title="Your own id" label="the external id" code={externalId} />}
        {Object.keys(metadata).length > 0 && (
          <CodeBlock title="Metadata" label="the metadata" code={JSON.stringify(metadata, null, 2)} />
        )}
      </Stack>
    </Card>
  );
}
