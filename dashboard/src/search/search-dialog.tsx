import { Modal } from '@mantine/core';
import { SearchPanel } from './search-panel';

interface SearchDialogProps {
  readonly accountId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The dialog of the search. Each opening begins with an empty field. */
export function SearchDialog({ accountId, opened, onClose }: SearchDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Search" size="lg" yOffset="8dvh">
      <SearchPanel accountId={accountId} onClose={onClose} />
    </Modal>
  );
}
