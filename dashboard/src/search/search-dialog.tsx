import { Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { SearchPanel } from './search-panel';

interface SearchDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog of the search. Each opening begins with an empty field. */
export function SearchDialog({ accountId, isOpen, onClose }: SearchDialogProps) {
  // A dialog that is mounted open, because its file came late, would not know where the focus was before.
  const isMounted = useMounted();
  return (
    <Modal opened={isOpen && isMounted} onClose={onClose} title="Search" size="lg" yOffset="8dvh">
      <SearchPanel accountId={accountId} onClose={onClose} />
    </Modal>
  );
}
