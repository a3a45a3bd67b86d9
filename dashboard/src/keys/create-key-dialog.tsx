import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { CreatedKey } from '../api/answers';
import { CreateKeyForm } from './create-key-form';
import { CreatedKeyPanel } from './created-key';

interface CreateKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a key and shows it once. Does not close by accident while it does. */
export function CreateKeyDialog({ opened, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<CreatedKey>();
  const close = (): void => {
    setCreated(undefined);
    onClose();
  };
  const isShown = created !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={isShown ? 'Your new key' : 'New key'}
      centered
      size="lg"
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {isShown ? (
        <CreatedKeyPanel secret={created.key} doneLabel="Done" onDone={close} />
      ) : (
        <CreateKeyForm onCreated={setCreated} onCancel={close} />
      )}
    </Modal>
  );
}
