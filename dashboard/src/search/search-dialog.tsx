import { Modal } from '@mantine/core';
import { SearchPanel } from './search-panel';

interface SearchDialogProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog of the search. Each opening begins with an empty field. */
export function SearchDialog({ accountId, isOpen, onClose }: SearchDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Search" size="lg" yOffset="8dvh">
      <SearchPanel accountId={accountId} onClose={onClose} />
    </Modal>
  );
}
