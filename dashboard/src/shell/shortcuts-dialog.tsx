import { Kbd, Modal, Table } from '@mantine/core';

interface ShortcutsDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const SHORTCUTS: readonly { readonly does: string; readonly keys: readonly string[] }[] = [
  { does: 'Search', keys: ['/', 'Ctrl K', '⌘ K'] },
  { does: 'Go through the results, and open one', keys: ['↓', '↑', 'Enter'] },
  { does: 'Close a dialog or a menu', keys: ['Escape'] },
  { does: 'Go to the next or the previous control', keys: ['Tab', 'Shift Tab'] },
  { does: 'Choose among options, such as the time of a chart', keys: ['←', '→'] },
  { does: 'Scroll a wide table, once it has the focus', keys: ['←', '→'] },
  { does: 'Show this list', keys: ['?'] },
];

/** What keys do. */
export function ShortcutsDialog({ opened, onClose }: ShortcutsDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" centered>
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {SHORTCUTS.map(({ does, keys }) => (
            <Table.Tr key={does}>
              <Table.Th fw={400} scope="row">
                {does}
              </Table.Th>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} me={6}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
