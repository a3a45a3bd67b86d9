import { Button, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Play, RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { ConfirmButton } from '../elements/confirm-button';
import { PageButton, PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import type { DeliveryWithAttempts } from '../api/answers';
import type { ClosedReason } from '../../../src/domain/delivery-contract';
import { isFinished } from '../../../src/domain/delivery-state';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { closedFor } from './closed-for';
import { DeliveryHistory } from './delivery-history';
import { deliveryQuery, useDeliveryVerb } from './delivery-queries';
import { ExecutionLink } from './execution-link';
import { NextAttempt } from './next-attempt';

/** One destination of an event: how far its delivery is, every attempt, and what can be done. */
export function DeliveryCard({ id }: { readonly id: string }) {
  const { data: delivery, error } = useQuery(deliveryQuery(id));
  return (
    <Card withBorder padding="lg" component="section" aria-label={`Delivery ${id}`}>
      <ProblemAlert error={error} title="This delivery could not be loaded" />
      {delivery === undefined ? !error && <Loader aria-label="Loading" /> : <DeliveryContent delivery={delivery} />}
    </Card>
  );
}

function DeliveryContent({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const { data: known } = useQuery(endpointsQuery);
  const endpoint = known?.endpoints.find(({ id }) => id === delivery.endpoint_id);
  const closed = closedFor(delivery, endpoint);
  const isOpen = !isFinished(delivery.state);
  // A retry that is due while its endpoint is closed becomes held.
  const shown = isOpen && closed ? { ...delivery, held_for: closed, next_attempt_at: null } : delivery;
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} miw={0}>
          <Group gap="sm">
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {endpoint?.description || delivery.url}
            </Title>
            <StateBadge state={delivery.state} />
          </Group>
          {endpoint?.description && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {delivery.url}
            </Text>
          )}
          <Group gap="md">
            <PageLink
              to="/dashboard/endpoints/$endpointId"
              params={{ endpointId: delivery.endpoint_id }}
              size="sm"
              ff="monospace"
            >
              {delivery.endpoint_id}
            </PageLink>
            {delivery.run > 1 && (
              <Text size="sm" c="dimmed">
                replayed {delivery.run === 2 ? 'once' : `${delivery.run - 1} times`}
              </Text>
            )}
            <ExecutionLink delivery={delivery} />
          </Group>
          <NextAttempt delivery={shown} />
        </Stack>
        {isOpen ? <OpenActions delivery={delivery} closed={closed} /> : <FinishedActions delivery={delivery} />}
      </Group>
      {delivery.attempts.length === 0 && (
        <Text c="dimmed" size="sm">
          No attempt has finished yet.
        </Text>
      )}
      <DeliveryHistory delivery={shown} />
    </Stack>
  );
}

interface OpenActionsProps {
  readonly delivery: DeliveryWithAttempts;
  /** Why its endpoint is closed: a retry would be refused. */
  readonly closed: ClosedReason | undefined;
}

/** What can be done with a delivery that is not finished. */
function OpenActions({ delivery, closed }: OpenActionsProps) {
  const act = useDeliveryVerb(delivery.id);
  const note = useId();
  // A retry does not skip the line.
  const canRetry = !closed && delivery.held_for !== 'in_line';
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        {closed && (
          <PageButton to="/dashboard/endpoints/$endpointId" params={{ endpointId: delivery.endpoint_id }} size="sm">
            Open the endpoint
          </PageButton>
        )}
        {canRetry && (
          <Button
            size="sm"
            leftSection={<Play size={15} aria-hidden />}
            loading={act.isPending && act.variables === 'retry'}
            onClick={() => act.mutate('retry')}
            aria-describedby={note}
          >
            Retry now
          </Button>
        )}
        <ConfirmButton
          size="sm"
          variant="default"
          question="Cancel this delivery?"
          consequence="No further attempt is made. A request in progress may still succeed. You can replay it later."
          verb="Cancel the delivery"
          onConfirm={() => act.mutateAsync('cancel')}
          isPending={act.isPending && act.variables === 'cancel'}
          error={act.variables === 'cancel' ? act.error : null}
        >
          Cancel
        </ConfirmButton>
      </Group>
      {canRetry && (
        <Text size="xs" c="dimmed" id={note}>
          {costOfRetry(delivery)}
        </Text>
      )}
      {act.variables === 'retry' && <ProblemAlert error={act.error} title="The request failed" />}
    </Stack>
  );
}

/** A retry is the next attempt of the schedule, made earlier: it uses that attempt up. */
function costOfRetry({ attempt_count: made, max_attempts: most }: DeliveryWithAttempts): string {
  return made + 1 >= most
    ? `Uses the last attempt, ${most} of ${most}. If it fails, the delivery fails.`
    : `Uses attempt ${made + 1} of ${most}.`;
}

/** What can be done with a finished delivery. */
function FinishedActions({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const act = useDeliveryVerb(delivery.id);
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        size="sm"
        variant="default"
        leftSection={<RotateCcw size={15} aria-hidden />}
        loading={act.isPending}
        onClick={() => act.mutate('replay')}
      >
        Replay
      </Button>
      <ProblemAlert error={act.error} title="The request failed" />
    </Stack>
  );
}
