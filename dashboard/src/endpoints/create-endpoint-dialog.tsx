import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { CreatedEndpoint } from '../api/answers';
import { CopyButton } from '../elements/copy-button';
import { SecretBlock } from '../elements/secret-block';
import { draftOf } from './endpoint-draft';
import { EndpointForm } from './endpoint-form';
import { useCreateEndpoint } from './endpoint-queries';

interface CreateEndpointDialogProps {
  /** The patterns to begin with; every event by default. */
  readonly events?: readonly string[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Registers an endpoint and shows its signing secret. */
export function CreateEndpointDialog({ events = ['*'], opened, onClose }: CreateEndpointDialogProps) {
  const create = useCreateEndpoint();
  const close = (): void => {
    create.reset();
    onClose();
  };
  return (
    <Modal.Stack>
      <Modal
        stackId="endpoint"
        opened={opened}
        onClose={close}
        title={create.data ? 'Endpoint registered' : 'New endpoint'}
        size="lg"
        centered
      >
        {create.data ? (
          <Registered endpoint={create.data} onClose={close} />
        ) : (
          <NewEndpointForm events={events} create={create} onCancel={close} />
        )}
      </Modal>
    </Modal.Stack>
  );
}

interface NewEndpointFormProps {
  readonly events: readonly string[];
  readonly create: ReturnType<typeof useCreateEndpoint>;
  readonly onCancel: () => void;
}

function NewEndpointForm({ events, create, onCancel }: NewEndpointFormProps) {
  const [draft, setDraft] = useState(() => ({ ...draftOf(), events }));
  return (
    <EndpointForm
      draft={draft}
      onChange={(parts) => setDraft((current) => ({ ...current, ...parts }))}
      verb="Register"
      failure="The endpoint was not registered"
      error={create.error}
      isPending={create.isPending}
      onSend={(body) => create.mutate(body)}
      onCancel={onCancel}
    />
  );
}

function Registered({ endpoint, onClose }: { readonly endpoint: CreatedEndpoint; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const look = (): void => {
    onClose();
    void navigate({ to: '/dashboard/endpoints/$endpointId', params: { endpointId: endpoint.id } });
  };
  return (
    <Stack>
      <Alert color="tide" icon={<CircleCheck size={18} aria-hidden />} title={endpoint.url}>
        Matching events are delivered to it from now on.
      </Alert>
      <Text size="sm">Your receiver needs this signing secret to verify deliveries:</Text>
      <SecretBlock label="Signing secret" secret={endpoint.secret} />
      <Group justify="space-between">
        <CopyButton value={endpoint.secret} label="Copy the secret" />
        <Button onClick={look}>Open the endpoint</Button>
      </Group>
    </Stack>
  );
}
