import { Anchor, Button, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Play, RotateCcw } from 'lucide-react';
import { ConfirmButton } from '../elements/confirm-button';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import type { DeliveryWithAttempts } from '../api/answers';
import { meQuery } from '../session/session-queries';
import { AttemptTimeline } from './attempt-timeline';
import { deliveryQuery, useDeliveryVerb } from './delivery-queries';
import { NextAttempt } from './next-attempt';
import { temporalLink } from './temporal-link';

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
  const { data: me } = useQuery(meQuery);
  const inTemporal = me?.temporal_ui && temporalLink(me.temporal_ui, delivery);
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} miw={0}>
          <Group gap="sm">
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {delivery.url}
            </Title>
            <StateBadge state={delivery.state} />
          </Group>
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
            {inTemporal && (
              <Anchor href={inTemporal} target="_blank" rel="noreferrer" size="sm">
                <Group gap={4} component="span">
                  Execution in Temporal <ExternalLink size={13} aria-label="(opens in a new tab)" />
                </Group>
              </Anchor>
            )}
          </Group>
          <NextAttempt delivery={delivery} />
        </Stack>
        <DeliveryActions delivery={delivery} />
      </Group>
      {delivery.attempts.length === 0 ? (
        <Text c="dimmed" size="sm">
          No attempt was answered yet.
        </Text>
      ) : (
        <AttemptTimeline attempts={delivery.attempts} run={delivery.run} />
      )}
    </Stack>
  );
}

function DeliveryActions({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const act = useDeliveryVerb(delivery.id);
  const isOpen = delivery.state === 'pending' || delivery.state === 'retrying';
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        {isOpen ? (
          <>
            <Button
              size="sm"
              leftSection={<Play size={15} aria-hidden />}
              loading={act.isPending && act.variables === 'retry'}
              onClick={() => act.mutate('retry')}
            >
              Retry now
            </Button>
            <ConfirmButton
              size="sm"
              variant="default"
              question="Cancel this delivery?"
              consequence="No further attempt is made. A request that is under way may still succeed. You can replay it later."
              verb="Cancel the delivery"
              onConfirm={() => act.mutateAsync('cancel')}
              isPending={act.isPending && act.variables === 'cancel'}
              error={act.variables === 'cancel' ? act.error : null}
            >
              Cancel
            </ConfirmButton>
          </>
        ) : (
          <Button
            size="sm"
            variant="default"
            leftSection={<RotateCcw size={15} aria-hidden />}
            loading={act.isPending}
            onClick={() => act.mutate('replay')}
          >
            Replay
          </Button>
        )}
      </Group>
      {act.variables !== 'cancel' && <ProblemAlert error={act.error} title="That did not work" />}
    </Stack>
  );
}
