import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { EmptyList, EmptyState } from '../elements/empty-state';
import { lazyDialog } from '../elements/lazy-dialog';
import { PageLink } from '../elements/links';
import { stateLabel } from '../elements/state-badge';
import { Page } from '../shell/page';
import { endpointHealthListQuery, endpointsQuery, endpointWaitingQuery } from './endpoint-queries';
import { countByHealth, ENDPOINT_SORTS, rowsOf, searchRows, type EndpointRow } from './endpoint-rows';
import { endpointName } from './endpoint-name';
import { HealthBadge } from './health-badge';
import { HealthBars } from './health-bars';
import { PatternBadge } from './pattern-badge';
import { useMay } from '../session/use-may';

const CreateEndpointDialog = lazyDialog(() => import('./create-endpoint-dialog'), 'CreateEndpointDialog');

const PATTERNS_SHOWN = 3;

const COLUMNS = ['Endpoint', 'Events', 'Health', { title: 'Waiting', align: 'right' as const }, 'Last 24 hours'];

/** Where events go. */
export function EndpointsPage() {
  const { data } = useSuspenseQuery(endpointsQuery);
  const { data: health } = useQuery(endpointHealthListQuery);
  const { data: waiting } = useQuery(endpointWaitingQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const canWrite = useMay('endpoints:write');
  return (
    <Page
      title="Endpoints"
      description="The URLs that receive your events. Each has its own patterns, secret and options."
      actions={
        canWrite && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
            New endpoint
          </Button>
        )
      }
    >
      {data.endpoints.length === 0 ? (
        <EmptyState Icon={Webhook} title="No endpoints yet">
          <Text>
            An endpoint is an HTTPS URL that receives your events. Each matching event is sent as a signed POST. If a
            delivery fails, it is retried.
          </Text>
          {canWrite && (
            <Button mt="md" onClick={open}>
              Register your first endpoint
            </Button>
          )}
        </EmptyState>
      ) : (
        <EndpointList rows={rowsOf(data.endpoints, health, waiting)} />
      )}
      <CreateEndpointDialog opened={isCreating} onClose={close} />
    </Page>
  );
}

/** The list, narrowed by health and by a text, in the order that the address names. */
function EndpointList({ rows }: { readonly rows: readonly EndpointRow[] }) {
  const search = useSearch({ from: '/dashboard/endpoints' });
  const navigate = useNavigate();
  // The address follows what is typed; it would be late as the value of the field.
  const [text, setText] = useState(search.q ?? '');
  const change = (changes: Record<string, string | undefined>): void =>
    void navigate({
      to: '/dashboard/endpoints',
      search: { ...search, ...changes },
      replace: true,
      resetScroll: false,
    });
  const found = searchRows(rows, { ...search, q: text });
  return (
    <>
      <Group mb="md" gap="sm" align="flex-end" role="search" aria-label="Filters">
        <TextInput
          label="Find"
          type="search"
          placeholder="Name, URL, pattern or metadata"
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            change({ q: value === '' ? undefined : value });
          }}
          w={280}
        />
        <Select
          label="Order"
          data={Object.entries(ENDPOINT_SORTS).map(([value, label]) => ({ value, label }))}
          value={search.sort ?? 'newest'}
          onChange={(sort) => change({ sort: sort === null || sort === 'newest' ? undefined : sort })}
          allowDeselect={false}
          w={220}
        />
      </Group>
      <HealthChoice rows={rows} state={search.health} onChange={(health) => change({ health })} />
      {found.length === 0 ? (
        <EmptyList Icon={Webhook} noun={['endpoint', 'endpoints']} isNarrowed hasOlder={false}>
          {null}
        </EmptyList>
      ) : (
        <EndpointTable rows={found} />
      )}
    </>
  );
}

interface HealthChoiceProps {
  readonly rows: readonly EndpointRow[];
  readonly state: string | undefined;
  readonly onChange: (state: string | undefined) => void;
}

/** A button for each state that an endpoint is in, with the count. */
function HealthChoice({ rows, state, onChange }: HealthChoiceProps) {
  const choices = [
    { value: undefined, label: 'All', count: rows.length },
    ...countByHealth(rows).map((it) => ({ value: it.state, label: stateLabel(it.state), count: it.count })),
  ];
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Health">
      {choices.map(({ value, label, count }) => (
        <Button
          key={label}
          size="xs"
          variant={value === state ? 'filled' : 'default'}
          aria-pressed={value === state}
          onClick={() => onChange(value)}
        >
          {label} {count}
        </Button>
      ))}
    </Group>
  );
}

/** Rows that are drawn at once: each has a chart. */
const ROWS = 100;

function EndpointTable({ rows }: { readonly rows: readonly EndpointRow[] }) {
  const [shown, setShown] = useState(ROWS);
  return (
    <>
      <EndpointRows rows={rows.slice(0, shown)} />
      {rows.length > shown && (
        <Button mt="md" variant="default" onClick={() => setShown(shown + ROWS)}>
          Show {Math.min(ROWS, rows.length - shown)} more
        </Button>
      )}
    </>
  );
}

function EndpointRows({ rows }: { readonly rows: readonly EndpointRow[] }) {
  return (
    <DataTable label="Endpoints" minWidth={760} columns={COLUMNS}>
      {rows.map(({ endpoint, health, hours, waiting }) => (
        <Table.Tr key={endpoint.id}>
          <NameCell w="30%" maw="none">
            <Stack gap={2}>
              <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId: endpoint.id }} fw={600}>
                {breakable(endpointName(endpoint))}
              </PageLink>
              <Text size="sm" c="dimmed">
                {endpoint.description === '' ? endpoint.id : breakable(endpoint.url)}
              </Text>
            </Stack>
          </NameCell>
          <Table.Td miw={150}>
            <Patterns patterns={endpoint.events} />
          </Table.Td>
          <Table.Td>
            <HealthBadge health={health} />
          </Table.Td>
          <Table.Td ta="right" className="figures">
            {waiting === undefined || waiting === 0 ? (
              '–'
            ) : (
              <PageLink to="/dashboard/find" search={{ endpoint_id: endpoint.id, state: 'open' }}>
                {waiting.toLocaleString('en')}
                <span className="visually-hidden"> deliveries wait for {endpointName(endpoint)}</span>
              </PageLink>
            )}
          </Table.Td>
          <Table.Td>
            <HealthBars hours={hours} />
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
