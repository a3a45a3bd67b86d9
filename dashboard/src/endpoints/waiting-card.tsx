import { Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MAX_PER_DESTINATION } from '../../../src/domain/delivery-contract';
import type { Endpoint, WaitingDeliveries } from '../api/answers';
import { useNow } from '../elements/clock';
import { PageButton, PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { clockTime, remainingTime } from '../elements/time';
import { RetryAllButton } from '../replays/retry-all-button';
import { BacklogProgress } from './backlog-progress';
import { waitingQuery } from './endpoint-queries';

/** How many deliveries wait for an endpoint, and for what. */
export function WaitingCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const { data, error } = useQuery(waitingQuery(endpoint.id));
  return (
    <Card withBorder padding="lg" component="section" aria-label="Waiting">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>Waiting</Title>
          <PageButton to="/dashboard/find" search={{ endpoint_id: endpoint.id }} variant="default" size="sm">
            Show deliveries
          </PageButton>
        </Group>
        <ProblemAlert error={error} title="What waits could not be counted" />
        {endpoint.backlog !== null && <BacklogProgress endpoint={endpoint} />}
        {data === undefined ? (
          !error && <Loader size="sm" aria-label="Counting what waits" />
        ) : (
          <Waits waiting={data} endpoint={endpoint} />
        )}
      </Stack>
    </Card>
  );
}

interface WaitsProps {
  readonly waiting: WaitingDeliveries;
  readonly endpoint: Endpoint;
}

function Waits({ waiting, endpoint }: WaitsProps) {
  const { held, scheduled, due, complete } = waiting;
  if (held.length === 0 && scheduled === 0 && due === 0) {
    return (
      <Text size="sm" c="dimmed">
        No delivery waits.
      </Text>
    );
  }
  return (
    <>
      {!complete && <Text size="sm">10,000 or more deliveries wait. These were counted:</Text>}
      {held.map(({ reason, deliveries, since }) => (
        <Wait key={reason} deliveries={deliveries}>
          {reasonOf(reason, waiting, endpoint)}
          {since !== null && ` (the first since ${clockTime(since)})`}
        </Wait>
      ))}
      {scheduled > 0 && (
        <Group gap="sm">
          <Wait deliveries={scheduled}>
            for the time of {scheduled === 1 ? 'its' : 'their'} next attempt
            {waiting.next_attempt_at !== null && (
              <>
                , {scheduled > 1 && 'the first '}
                <NextAt at={waiting.next_attempt_at} />
              </>
            )}
          </Wait>
          {endpoint.status === 'active' && <RetryAllButton endpointId={endpoint.id} size="compact-sm" />}
        </Group>
      )}
      {due > 0 && <Wait deliveries={due}>to be sent now, or for an answer</Wait>}
      <Text size="sm">
        <PageLink to="/dashboard/find" search={{ endpoint_id: endpoint.id, state: 'open' }} inherit>
          Show what waits
        </PageLink>
      </Text>
    </>
  );
}

function Wait({ deliveries, children }: { readonly deliveries: number; readonly children: ReactNode }) {
  return (
    <Text className="figures">
      <b>{deliveries.toLocaleString('en')}</b> {deliveries === 1 ? 'waits' : 'wait'} {children}
    </Text>
  );
}

function NextAt({ at }: { readonly at: string }) {
  const leftMs = new Date(at).getTime() - useNow();
  return leftMs > 0 ? `in ${remainingTime(leftMs)}` : 'now';
}

/** The lowest of the rates that there are. */
function rateInWords(rates: readonly (number | null | undefined)[]): string {
  const lowest = Math.min(...rates.map((rate) => rate ?? Infinity));
  return Number.isFinite(lowest) ? ` of ${lowest} a second` : '';
}

/** What a delivery that is held waits for. */
function reasonOf(
  reason: WaitingDeliveries['held'][number]['reason'],
  { behind_event_id: eventId }: WaitingDeliveries,
  { options, backlog }: Endpoint,
): ReactNode {
  switch (reason) {
    case 'suspended':
      return 'because the account is suspended';
    case 'paused':
      return 'because the endpoint is paused';
    case 'disabled':
      return 'because the endpoint is disabled';
    case 'unverified':
      return 'because the host has not answered its challenge';
    case 'hanging':
      return 'because the endpoint does not answer';
    case 'at_cap':
      return `until one of the ${MAX_PER_DESTINATION} concurrent requests ends`;
    case 'at_rate':
      return `for the rate limit${rateInWords([options.max_per_second, backlog?.per_second])}`;
    case 'in_line':
      return eventId === null ? (
        'in line, because an earlier event goes first'
      ) : (
        <>
          in line behind{' '}
          <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(eventId) }} inherit underline="always">
            event {eventId}
          </PageLink>
        </>
      );
  }
}
