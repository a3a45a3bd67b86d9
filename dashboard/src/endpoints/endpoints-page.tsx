import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import type { Endpoint, EndpointHealthList } from '../api/answers';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { EmptyState } from '../elements/empty-state';
import { lazyDialog } from '../elements/lazy-dialog';
import { PageLink } from '../elements/links';
import { Page } from '../shell/page';
import { endpointHealthListQuery, endpointsQuery } from './endpoint-queries';
import { HealthBadge } from './health-badge';
import { HealthBars } from './health-bars';
import { PatternBadge } from './pattern-badge';

const CreateEndpointDialog = lazyDialog(() => import('./create-endpoint-dialog'), 'CreateEndpointDialog');

const PATTERNS_SHOWN = 3;

/** Where events go. */
export function EndpointsPage() {
  const { data } = useSuspenseQuery(endpointsQuery);
  const { data: health } = useQuery(endpointHealthListQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Endpoints"
      description="The URLs that receive your events. Each has its own patterns, secret and options."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          New endpoint
        </Button>
      }
    >
      {data.endpoints.length === 0 ? (
        <EmptyState Icon={Webhook} title="No endpoints yet">
          <Text>
            An endpoint is an HTTPS URL that receives your events. Everpost sends each matching event as a signed POST.
            If a delivery fails, Everpost retries it.
          </Text>
          <Button mt="md" onClick={open}>
            Register your first endpoint
          </Button>
        </EmptyState>
      ) : (
        <EndpointTable endpoints={data.endpoints} health={health} />
      )}
      <CreateEndpointDialog opened={isCreating} onClose={close} />
    </Page>
  );
}

interface EndpointTableProps {
  readonly endpoints: readonly Endpoint[];
  readonly health: EndpointHealthList | undefined;
}

function EndpointTable({ endpoints, health }: EndpointTableProps) {
  const healthOf = new Map((health?.endpoints ?? []).map((it) => [it.endpoint_id, it]));
  return (
    <DataTable label="Endpoints" minWidth={760} columns={['Endpoint', 'Events', 'Health', 'Last 24 hours']}>
      {endpoints.map((endpoint) => (
        <Table.Tr key={endpoint.id}>
          <NameCell w="36%" maw="none">
            <Stack gap={2}>
              <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId: endpoint.id }} fw={600}>
                {breakable(endpoint.url)}
              </PageLink>
              <Text size="sm" c="dimmed">
                {endpoint.description || endpoint.id}
              </Text>
            </Stack>
          </NameCell>
          <Table.Td>
            <Patterns patterns={endpoint.events} />
          </Table.Td>
          <Table.Td>
            <HealthBadge health={healthOf.get(endpoint.id)?.health ?? endpoint.health} />
          </Table.Td>
          <Table.Td>
            <HealthBars hours={healthOf.get(endpoint.id)?.hours ?? []} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Patterns({ patterns }: { readonly patterns: readonly string[] }) {
  const more = patterns.length - PATTERNS_SHOWN;
  return (
    <Group gap={4}>
      {patterns.slice(0, PATTERNS_SHOWN).map((pattern) => (
        <PatternBadge key={pattern} pattern={pattern} />
      ))}
      {more > 0 && <Text size="sm">+{more}</Text>}
    </Group>
  );
}
