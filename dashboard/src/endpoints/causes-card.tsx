import { Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { causeInWords } from '../../../src/domain/endpoint-health';
import type { EndpointHistory } from '../api/answers';
import { grainInWords, WINDOW_CHOICES } from '../charts/history';
import { ScrollTable } from '../elements/data-table';
import { PageLink } from '../elements/links';
import { clockTime } from '../elements/time';
import { adviceFor } from './advice';
import { useEndpointSearch } from './use-endpoint-search';

interface CausesCardProps {
  readonly endpointId: string;
  /** Undefined while it is loaded. */
  readonly history: EndpointHistory | undefined;
}

const COLUMNS = ['Cause', { title: 'Attempts', align: 'right' as const }, 'First seen', 'Last seen', 'Look at'];

/** Why attempts of the window failed: each cause with its count, and the way to its attempts. */
export function CausesCard({ endpointId, history }: CausesCardProps) {
  if (!history || history.causes.length === 0) return null;
  const { causes, health, window } = history;
  return (
    <Card withBorder padding="lg" component="section" aria-label="Failure causes">
      <Stack>
        <Stack gap={2}>
          <Title order={2}>Failure causes</Title>
          <Text size="sm" c="dimmed">
            Last {WINDOW_CHOICES.find(({ value }) => value === window)?.label}. Times are exact to {exactness(window)}.
          </Text>
        </Stack>
        <ScrollTable label="Causes" minWidth={640} columns={COLUMNS}>
          {causes.map((cause) => (
            <CauseRow
              key={`${cause.code} ${cause.status_code}`}
              cause={cause}
              lastFailureAt={health.last_failure_at}
              endpointId={endpointId}
            />
          ))}
        </ScrollTable>
      </Stack>
    </Card>
  );
}

function exactness(window: EndpointHistory['window']): string {
  const grain = grainInWords(window);
  return grain === 'hour' ? 'an hour' : grain;
}

interface CauseRowProps {
  readonly cause: EndpointHistory['causes'][number];
  readonly lastFailureAt: string | null;
  readonly endpointId: string;
}

function CauseRow({ cause, lastFailureAt, endpointId }: CauseRowProps) {
  const { code, status_code: statusCode, count, first_seen: firstSeen, last_seen: spanEnd } = cause;
  // The end of a span that is not over is now.
  const lastSeen = lastFailureAt !== null && lastFailureAt < spanEnd ? lastFailureAt : spanEnd;
  const { showCause } = useEndpointSearch();
  const words = causeInWords({ code, statusCode });
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600} size="sm">
          {words}
        </Text>
        <Text size="sm" c="dimmed">
          {adviceFor({ code, statusCode })}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{count.toLocaleString('en')}</Table.Td>
      <Table.Td>about {clockTime(firstSeen)}</Table.Td>
      <Table.Td>about {clockTime(lastSeen)}</Table.Td>
      <Table.Td>
        <Group gap="md">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Attempts with ${words}`}
            onClick={() => showCause({ code, statusCode })}
          >
            Attempts
          </Button>
          <PageLink
            to="/dashboard/find"
            search={{ endpoint_id: endpointId, after: firstSeen }}
            size="sm"
            aria-label={`Deliveries since ${words} was first seen`}
          >
            Deliveries since
          </PageLink>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
