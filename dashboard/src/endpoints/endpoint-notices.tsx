import { Alert, Button, Stack, Text } from '@mantine/core';
import { CirclePause, TriangleAlert } from 'lucide-react';
import type { Endpoint, EndpointHealth } from '../api/answers';
import { ProblemAlert } from '../elements/problem-alert';
import { exactTime } from '../elements/time';
import { useEndpointState } from './endpoint-queries';
import { useMay } from '../session/use-may';

/** Says why nothing is sent, and that nothing is lost. */
export function HeldNotice({ endpoint }: { readonly endpoint: Endpoint }) {
  if (endpoint.status === 'active') return null;
  const reason = {
    gone: 'The receiver answered 410 Gone.',
    failing: 'Every delivery failed for a long time.',
    none: 'The endpoint is paused.',
  }[endpoint.disabled_reason ?? 'none'];
  return (
    <Alert color="yellow" icon={<CirclePause size={18} aria-hidden />} title="Deliveries to this endpoint wait">
      {reason} Events are kept, and delivered when you resume the endpoint.
    </Alert>
  );
}

/** Says what is wrong with the receiver. */
export function FailingNotice({ health }: { readonly health: EndpointHealth }) {
  const { state, since, last_error: error, failed_in_a_row: inARow } = health;
  if (state !== 'failing' || !since || !error) return null;
  return (
    <Alert color="red" icon={<TriangleAlert size={18} aria-hidden />} title={`Failing since ${exactTime(since)}`}>
      {error.error}
      {inARow > 1 &&
        ` ${error.count.toLocaleString('en')} of the ${inARow.toLocaleString('en')} failed attempts in a row had this error.`}
    </Alert>
  );
}

/** Says that the host has to answer a challenge, and asks it again. */
export function UnverifiedNotice({ endpoint: { id, verification } }: { readonly endpoint: Endpoint }) {
  const state = useEndpointState(id);
  const canWrite = useMay('endpoints:write');
  if (verification?.state !== 'unverified') return null;
  return (
    <Alert color="yellow" icon={<CirclePause size={18} aria-hidden />} title={`${verification.host} is not verified`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Events are kept, and delivered once the host answers its challenge.{' '}
          {verification.error && `The last answer was wrong: ${verification.error}`}
        </Text>
        {canWrite && (
          <Button size="xs" variant="default" loading={state.isPending} onClick={() => state.mutate('verify')}>
            Send another challenge
          </Button>
        )}
        <ProblemAlert error={state.error} title="The challenge was not sent" />
      </Stack>
    </Alert>
  );
}
