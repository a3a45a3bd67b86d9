import { Button, Code, CopyButton, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { Braces, Download, Share2, Sheet, Terminal } from 'lucide-react';
import { toCsv, toCurl, toJson } from './export-list';
import classes from './estimator.module.css';
import { encodeList } from './share-link';
import { countLeftOut, type PricedList } from './shopping-list';

/** Ways to take the list along: a link, a file, a command. */
export function ExportMenu(list: PricedList) {
  const { lines: allLines, estimate, discounts } = list;
  const [isCurlOpen, curl] = useDisclosure(false);
  const left = countLeftOut({ lines: allLines });
  const isEmpty = estimate === undefined;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<Share2 size={16} aria-hidden />}
        disabled={allLines.length === 0 && discounts.length === 0}
        onClick={() =>
          void share(
            encodeList({ lines: allLines.map(({ line }) => line), discounts: discounts.map(({ typed }) => typed) }),
          )
        }
      >
        Copy link
      </Button>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} aria-hidden />} disabled={isEmpty}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {left > 0 && (
            <Menu.Label>
              Incomplete: without {left} of {allLines.length} lines, which are not counted
            </Menu.Label>
          )}
          <Menu.Item
            leftSection={<Sheet size={16} aria-hidden />}
            onClick={() => void toCsv(list).then((text) => save('estimate.csv', 'text/csv', text))}
          >
            CSV for a spreadsheet
          </Menu.Item>
          <Menu.Item
            leftSection={<Braces size={16} aria-hidden />}
            onClick={() => save('estimate.json', 'application/json', toJson(list, new Date()))}
          >
            JSON
          </Menu.Item>
          <Menu.Item leftSection={<Terminal size={16} aria-hidden />} onClick={curl.open}>
            As a curl command
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CurlDialog
        isOpen={isCurlOpen}
        onClose={curl.close}
        command={toCurl(allLines, location.origin)}
        hasDiscounts={list.counted.length > 0}
      />
    </Group>
  );
}

interface CurlDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly command: string;
  readonly hasDiscounts: boolean;
}

function CurlDialog({ isOpen, onClose, command, hasDiscounts }: CurlDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="The same estimate with the API" size="lg">
      <Stack>
        <Text size="sm">You need no API key. With one in the x-api-key header, the limits of that key apply.</Text>
        {hasDiscounts && <Text size="sm">The API answers list prices: your discounts are not in its sums.</Text>}
        <Code block tabIndex={0} mah={320} className={classes['command']} data-testid="curl">
          {command}
        </Code>
        <CopyButton value={command}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
        </CopyButton>
      </Stack>
    </Modal>
  );
}

async function share(hash: string): Promise<void> {
  const link = `${location.origin}${location.pathname}#${hash}`;
  try {
    await navigator.clipboard.writeText(link);
    notifications.show({ message: 'Link copied. Anyone who opens it sees this list.' });
  } catch {
    // Pages that did not come by HTTPS have no clipboard.
    notifications.show({
      message: "The browser didn't allow it. The address of this page is the link: copy it from there.",
    });
  }
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
