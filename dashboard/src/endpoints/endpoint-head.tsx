import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { Endpoint, EndpointHealth } from '../api/answers';
import { ConfirmButton } from '../elements/confirm-button';
import { CopyIcon } from '../elements/copy-button';
import { ProblemAlert } from '../elements/problem-alert';
import { RecoverButton } from '../replays/recover-button';
import { useEndpointState, useFailingSince, useRemoveEndpoint, type useSendTest } from './endpoint-queries';
import { PauseButton } from './pause-button';
import { hasFailedQuery } from './backlog-queries';
import { HealthBadge } from './health-badge';
import { TestButton } from './test-button';
import { useMay } from '../session/use-may';

interface EndpointSummaryProps {
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
}

/** Its health, its URL, and its id to copy. */
export function EndpointSummary({ endpoint: { id, url }, health }: EndpointSummaryProps) {
  return (
    <Stack gap={6}>
      <HealthBadge health={health} />
      <Text>{url}</Text>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" ff="monospace">
          {id}
        </Text>
        <CopyIcon value={id} label="Copy the endpoint id" />
      </Group>
    </Stack>
  );
}

interface EndpointActionsProps extends EndpointSummaryProps {
  readonly onEdit: () => void;
  readonly test: ReturnType<typeof useSendTest>;
}

/** Everything that can be done with it. */
export function EndpointActions({ endpoint, health, onEdit, test }: EndpointActionsProps) {
  const state = useEndpointState(endpoint.id);
  const { failingSince, isLoading } = useFailingSince(endpoint.id, health);
  const { data: hasFailed } = useQuery(hasFailedQuery(endpoint.id));
  const canWrite = useMay('endpoints:write');
  const canSend = useMay('events:write');
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <PauseButton endpoint={endpoint} state={state} asksWhy />
        {hasFailed !== false && (
          <RecoverButton endpointId={endpoint.id} health={health} failingSince={failingSince} loading={isLoading} />
        )}
        {canWrite && (
          <Button variant="default" leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
            Edit
          </Button>
        )}
        {canSend && <TestButton test={test} />}
        {canWrite && <RemoveButton id={endpoint.id} />}
      </Group>
      <ProblemAlert error={state.error} title="The request failed" />
    </Stack>
  );
}

function RemoveButton({ id }: { readonly id: string }) {
  const remove = useRemoveEndpoint(id);
  const navigate = useNavigate();
  const removeAndLeave = async (): Promise<void> => {
    await remove.mutateAsync();
    await navigate({ to: '/dashboard/endpoints' });
  };
  return (
    <ConfirmButton
      variant="subtle"
      color="red"
      question="Delete this endpoint?"
      consequence="Its unfinished deliveries are cancelled. To keep them, pause the endpoint instead. The history stays."
      verb="Delete"
      onConfirm={removeAndLeave}
      isPending={remove.isPending}
      error={remove.error}
    >
      Delete
    </ConfirmButton>
  );
}
