import { Button, Group, Stack, Text } from '@mantine/core';
import { Play, RotateCcw } from 'lucide-react';
import { useId } from 'react';
import type { ClosedReason } from '../../../src/domain/delivery-contract';
import type { DeliveryWithAttempts } from '../api/answers';
import { ConfirmButton } from '../elements/confirm-button';
import { PageButton } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { useDeliveryVerb } from './delivery-queries';

interface OpenActionsProps {
  readonly delivery: DeliveryWithAttempts;
  /** Why its endpoint is closed: a retry would be refused. */
  readonly closed: ClosedReason | undefined;
}

/** What can be done with a delivery that is not finished. */
export function OpenActions({ delivery, closed }: OpenActionsProps) {
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
export function FinishedActions({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
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
