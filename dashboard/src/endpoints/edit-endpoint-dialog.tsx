import { Modal } from '@mantine/core';
import type { Endpoint } from '../api/answers';
import { EndpointForm } from './endpoint-form';
import { useChangeEndpoint } from './endpoint-queries';

interface EditEndpointDialogProps {
  readonly endpoint: Endpoint;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changes an endpoint. */
export function EditEndpointDialog({ endpoint, opened, onClose }: EditEndpointDialogProps) {
  const change = useChangeEndpoint(endpoint.id);
  const close = (): void => {
    change.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Edit endpoint" size="lg" centered>
      <EndpointForm
        endpoint={endpoint}
        verb="Save"
        failure="The endpoint was not changed"
        error={change.error}
        isPending={change.isPending}
        onSend={(body) => change.mutate(body, { onSuccess: close })}
        onCancel={close}
      />
    </Modal>
  );
}
