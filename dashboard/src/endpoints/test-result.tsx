import { Loader, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ProblemAlert } from '../elements/problem-alert';
import type { useSendTest } from './endpoint-queries';

/** Loaded with the first test event: the first load of the page has a bound. */
const DeliveryCard = lazy(async () => ({ default: (await import('../deliveries/delivery-card')).DeliveryCard }));

interface TestResultProps {
  readonly test: ReturnType<typeof useSendTest>;
  readonly endpointId: string;
}

/** The delivery of the test event that was sent, with its attempts while they are made. */
export function TestResult({ test, endpointId }: TestResultProps) {
  return (
    <>
      <ProblemAlert error={test.error} title="The test event was not sent" />
      {test.data && (
        <Stack gap="xs">
          <Text size="sm" role="status">
            An event of type {test.data.type} was sent to this endpoint alone, whatever its patterns are. It makes one
            attempt, which does not count for the health of the endpoint.
          </Text>
          <Suspense fallback={<Loader aria-label="Loading the delivery" />}>
            <DeliveryCard id={`${test.data.id}.${endpointId}`} />
          </Suspense>
        </Stack>
      )}
    </>
  );
}
