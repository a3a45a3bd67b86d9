import { Stack, Text } from '@mantine/core';
import { DeliveryCard } from '../deliveries/delivery-card';
import { ProblemAlert } from '../elements/problem-alert';
import type { useSendTest } from './endpoint-queries';

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
            An event of type endpoint.test was sent to this endpoint alone, whatever its patterns are. It makes one
            attempt, which does not count for the health of the endpoint.
          </Text>
          <DeliveryCard id={`${test.data.id}.${endpointId}`} />
        </Stack>
      )}
    </>
  );
}
