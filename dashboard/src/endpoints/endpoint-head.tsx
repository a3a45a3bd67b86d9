import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Pause, Pencil, Play, Send } from 'lucide-react';
import type { Endpoint, EndpointHealth } from '../api/answers';
import { ConfirmButton } from '../elements/confirm-button';
import { CopyIcon } from '../elements/copy-button';
import { ProblemAlert } from '../elements/problem-alert';
import { RecoverButton } from '../replays/recover-button';
import { useEndpointState, useFailingSince, useRemoveEndpoint, type useSendTest } from './endpoint-queries';
import { HealthBadge } from './health-badge';

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
  const isActive = endpoint.status === 'active';
  const { failingSince, isLoading } = useFailingSince(endpoint.id, health);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant={isActive ? 'default' : 'filled'}
          leftSection={isActive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          loading={state.isPending}
          onClick={() => state.mutate(isActive ? 'pause' : 'resume')}
        >
          {isActive ? 'Pause' : 'Resume'}
        </Button>
        <RecoverButton endpointId={endpoint.id} health={health} failingSince={failingSince} loading={isLoading} />
        <Button variant="default" leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="default"
          leftSection={<Send size={15} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test event
        </Button>
        <RemoveButton id={endpoint.id} />
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
