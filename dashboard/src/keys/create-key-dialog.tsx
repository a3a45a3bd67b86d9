import { Modal } from '@mantine/core';
import { CreateKeyForm } from './create-key-form';
import { CreatedKeyPanel } from './created-key';
import type { KeyKind } from './key-kinds';
import { useCreateKey } from './key-queries';

interface CreateKeyDialogProps {
  readonly kind: KeyKind;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates a key and shows it once. It stays open from the request until the key is stored. */
export function CreateKeyDialog({ kind, opened, onClose }: CreateKeyDialogProps) {
  const create = useCreateKey(kind);
  const close = (): void => {
    create.reset();
    onClose();
  };
  const staysOpen = create.isPending || create.isSuccess;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={create.isSuccess ? 'Your new key' : 'New key'}
      centered
      size="lg"
      closeOnClickOutside={!staysOpen}
      closeOnEscape={!staysOpen}
      withCloseButton={!staysOpen}
    >
      {create.isSuccess ? (
        <CreatedKeyPanel secret={create.data.key} doneLabel="Done" onDone={close} />
      ) : (
        <CreateKeyForm kind={kind} create={create} onCancel={close} />
      )}
    </Modal>
  );
}
