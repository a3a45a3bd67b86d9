import { Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { DELIVERY_STATES, EVENT_STATUSES } from '../../../src/domain/delivery-state';
import { DeliveryList } from '../deliveries/delivery-list';
import { PageButton } from '../elements/links';
import { isNarrowed, type ListFilter } from '../elements/list-filter';
import { stateLabel } from '../elements/state-badge';
import { endpointChoice } from '../endpoints/endpoint-name';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { EventList } from '../events/event-list';
import { ReplayButton } from '../replays/replay-button';
import { draftOfList, newDraft } from '../replays/replay-draft';
import { Page } from '../shell/page';
import { ViewsBar } from '../views/views-bar';
import { FilterBar, type Choice } from './filter-bar';
import { filterFor, rowsOf, searchFor, type Rows } from './find-search';
import { FoundByText } from './found-by-text';
import { TextField } from './text-field';

const ROWS: readonly { readonly value: Rows; readonly label: string }[] = [
  { value: 'events', label: 'Events' },
  { value: 'deliveries', label: 'Deliveries' },
];

const STATE_CHOICES: Readonly<Record<Rows, Choice>> = {
  events: {
    name: 'status',
    label: 'Status',
    options: EVENT_STATUSES.map((value) => ({ value, label: stateLabel(value) })),
  },
  deliveries: {
    name: 'state',
    label: 'State',
    options: [
      ...DELIVERY_STATES.map((value) => ({ value, label: stateLabel(value) })),
      { value: 'open', label: 'Open (pending or retrying)' },
    ],
  },
};

const FOUND_BY = [
  { name: 'idempotency_key', label: (key: string) => `Idempotency key ${key}` },
  { name: 'data', label: (value: string) => `Data ${value}` },
];

/** Events and deliveries in one place: by a text, or narrowed by filters. All of it is in the page's address. */
export function FindPage() {
  const search = useSearch({ from: '/dashboard/find' });
  const navigate = useNavigate();
  const { data: known } = useQuery(endpointsQuery);
  const { q: text = '' } = search;
  const rows = rowsOf(search);
  const filter = filterFor(rows, search);
  const show = (shown: Rows, narrowed: ListFilter): void =>
    void navigate({ to: '/dashboard/find', search: searchFor(shown, narrowed) });
  const endpoint = {
    name: 'endpoint_id',
    label: 'Endpoint',
    options: (known?.endpoints ?? []).map(endpointChoice),
  };
  return (
    <Page
      title="Find"
      description="Events, and their deliveries: one for each event and endpoint."
      actions={<Actions rows={rows} filter={filter} />}
    >
      <Group mb="md" gap="md" align="flex-end">
        <TextField
          text={text}
          onChange={(q) => void navigate({ to: '/dashboard/find', search: q === '' ? {} : { q } })}
        />
        <SegmentedControl aria-label="Rows" data={[...ROWS]} value={rows} onChange={(value) => show(value, filter)} />
      </Group>
      {text === '' ? (
        <>
          <FilterBar
            filter={filter}
            choices={[STATE_CHOICES[rows], endpoint]}
            found={FOUND_BY}
            // Only deliveries have an endpoint.
            onChange={(next) => show(next['endpoint_id'] === undefined ? rows : 'deliveries', next)}
          />
          <ViewsBar list={rows} filter={filter} onOpen={(saved) => show(rows, saved)} />
          {rows === 'events' ? <EventList filter={filter} /> : <DeliveryList filter={filter} />}
        </>
      ) : (
        <FoundByText text={text} />
      )}
    </Page>
  );
}

function Actions({ rows, filter }: { readonly rows: Rows; readonly filter: ListFilter }) {
  return (
    <Group gap="xs">
      <PageButton to="/dashboard/replays" variant="subtle">
        Replays
      </PageButton>
      {rows === 'deliveries' && (
        <ReplayButton
          variant="default"
          leftSection={<RotateCcw size={16} aria-hidden />}
          draft={() => (isNarrowed(filter) ? draftOfList(filter) : newDraft())}
        >
          Bulk replay
        </ReplayButton>
      )}
    </Group>
  );
}
