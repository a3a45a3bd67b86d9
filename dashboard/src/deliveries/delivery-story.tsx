import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isFinished } from '../../../src/domain/delivery-state';
import type { DeliveryWithAttempts } from '../api/answers';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { FinishedActions, OpenActions } from './delivery-actions';
import { DeliveryHistory } from './delivery-history';
import { deliveryQuery } from './delivery-queries';
import { ExecutionLink } from './execution-link';
import { NextAttempt } from './next-attempt';
import { useDestination } from './use-destination';
import { useMay } from '../session/use-may';

/** The story of a delivery: what happens next, every attempt, and what can be done. */
export function DeliveryStory({ id }: { readonly id: string }) {
  const { data: delivery, error } = useQuery(deliveryQuery(id));
  return (
    <>
      <ProblemAlert error={error} title="This delivery could not be loaded" />
      {delivery === undefined ? !error && <Loader aria-label="Loading" /> : <LoadedStory delivery={delivery} />}
    </>
  );
}

function LoadedStory({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const { closed, shown } = useDestination(delivery);
  const canAct = useMay('deliveries:write');
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} miw={0}>
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
        {canAct &&
          delivery.data_erased_at === undefined &&
          (isFinished(delivery.state) ? (
            <FinishedActions delivery={delivery} />
          ) : (
            <OpenActions delivery={delivery} closed={closed} />
          ))}
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
