import { Alert, Badge, Button, Card, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CirclePause, Pause, Pencil, Play, TriangleAlert } from 'lucide-react';
import type { Endpoint, EndpointHealth } from '../api/answers';
import { ConfirmButton } from '../elements/confirm-button';
import { PageButton } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { exactTime } from '../elements/time';
import { RecoverButton } from '../replays/recover-button';
import { Page } from '../shell/page';
import { EndpointForm } from './endpoint-form';
import {
  endpointHistoryQuery,
  endpointQuery,
  useChangeEndpoint,
  useEndpointState,
  useRemoveEndpoint,
} from './endpoint-queries';
import { HealthBadge } from './health-badge';
import { SecretPanel } from './secret-panel';
import { StatsPanel } from './stats-panel';
import { TestPanel } from './test-panel';

/** One endpoint: how it does, and everything that can be done with it. */
export function EndpointPage() {
  const { endpointId } = useParams({ from: '/dashboard/endpoints/$endpointId' });
  const { data: endpoint } = useSuspenseQuery(endpointQuery(endpointId));
  const { data: history } = useQuery(endpointHistoryQuery(endpointId));
  const health = history?.health ?? endpoint.health;
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Page
      title={endpoint.description || new URL(endpoint.url).host}
      description={<EndpointSummary endpoint={endpoint} health={health} />}
      actions={<EndpointActions endpoint={endpoint} onEdit={open} />}
    >
      <Stack gap="lg">
        <HeldNotice endpoint={endpoint} />
        <FailingNotice health={health} />
        <UnverifiedNotice endpoint={endpoint} />
        <StatsPanel endpointId={endpoint.id} />
        <TestPanel endpointId={endpoint.id} />
        <SecretPanel endpoint={endpoint} />
        <Card withBorder padding="lg">
          <Group>
            <PageButton to="/dashboard/deliveries" search={{ endpoint_id: endpoint.id }} variant="default">
              Show deliveries
            </PageButton>
            <RecoverButton endpointId={endpoint.id} />
          </Group>
        </Card>
      </Stack>
      {isEditing && <EditDialog endpoint={endpoint} onClose={close} />}
    </Page>
  );
}

interface EndpointSummaryProps {
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
}

function EndpointSummary({ endpoint, health }: EndpointSummaryProps) {
  return (
    <Stack gap={6} component="span">
      <Text span style={{ overflowWrap: 'anywhere' }}>
        {endpoint.url}
      </Text>
      <Group gap={6} component="span">
        <HealthBadge health={health} />
        {endpoint.events.map((pattern) => (
          <Badge key={pattern} variant="default" tt="none" ff="monospace" fw={500}>
            {pattern}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

function EndpointActions({ endpoint, onEdit }: { readonly endpoint: Endpoint; readonly onEdit: () => void }) {
  const state = useEndpointState(endpoint.id);
  const remove = useRemoveEndpoint(endpoint.id);
  const navigate = useNavigate();
  const isActive = endpoint.status === 'active';
  const removeAndLeave = async (): Promise<void> => {
    await remove.mutateAsync();
    await navigate({ to: '/dashboard/endpoints' });
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant={isActive ? 'default' : 'filled'}
          leftSection={isActive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          loading={state.isPending}
          onClick={() => state.mutate(isActive ? 'pause' : 'resume')}
        >
          {isActive ? 'Pause' : 'Resume'}
        </Button>
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
      </Group>
      <ProblemAlert error={state.error} title="The request failed" />
    </Stack>
  );
}

/** Says why nothing is sent, and that nothing is lost. */
function HeldNotice({ endpoint }: { readonly endpoint: Endpoint }) {
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
function FailingNotice({ health }: { readonly health: EndpointHealth }) {
  const { state, since, last_error: error, failed_in_a_row: inARow } = health;
  if (state !== 'failing' || !since || !error) return null;
  return (
    <Alert color="red" icon={<TriangleAlert size={18} aria-hidden />} title={`Failing since ${exactTime(since)}`}>
      {error.error} {error.count.toLocaleString('en')} of the {inARow.toLocaleString('en')} failed attempts in a row had
      this error.
    </Alert>
  );
}

/** Says that the host has to answer a challenge, and asks it again. */
function UnverifiedNotice({ endpoint: { id, verification } }: { readonly endpoint: Endpoint }) {
  const state = useEndpointState(id);
  if (verification?.state !== 'unverified') return null;
  return (
    <Alert color="yellow" icon={<CirclePause size={18} aria-hidden />} title={`${verification.host} is not verified`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Events are kept, and delivered once the host answers its challenge.{' '}
          {verification.error && `The last answer was wrong: ${verification.error}`}
        </Text>
        <Button size="xs" variant="default" loading={state.isPending} onClick={() => state.mutate('verify')}>
          Send another challenge
        </Button>
        <ProblemAlert error={state.error} title="The challenge was not sent" />
      </Stack>
    </Alert>
  );
}

function EditDialog({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const change = useChangeEndpoint(endpoint.id);
  return (
    <Modal opened onClose={onClose} title="Edit endpoint" size="lg" centered>
      <EndpointForm
        endpoint={endpoint}
        verb="Save"
        failure="The endpoint was not changed"
        error={change.error}
        isPending={change.isPending}
        onSend={(body) => change.mutate(body, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Modal>
  );
}
