import { ActionIcon, Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react';
import { isNarrowed, type ListFilter } from '../elements/list-filter';
import { onSubmit } from '../elements/on-submit';
import { viewerQuery } from '../session/session-queries';
import { isSameFilter, MAX_VIEWS, useSavedViews, type ListName } from './saved-views';

interface ViewsBarProps {
  readonly list: ListName;
  readonly filter: ListFilter;
  readonly onOpen: (filter: ListFilter) => void;
}

const MAX_NAME_LENGTH = 60;

/** The saved views of a list: opens one, saves what is shown under a name, deletes one. */
export function ViewsBar({ list, filter, onOpen }: ViewsBarProps) {
  const { data: me } = useSuspenseQuery(viewerQuery);
  const { views, save, remove } = useSavedViews(list, me.user?.id ?? me.account.id);
  const shown = views.find((view) => isSameFilter(view.filter, filter));
  const canSave = isNarrowed(filter) && shown === undefined && views.length < MAX_VIEWS;
  if (views.length === 0 && !canSave) return null;
  return (
    <Group mb="md" gap="xs" role="group" aria-label="Saved views">
      {views.map(({ name, filter: saved }) => (
        <Group key={name} gap={2} wrap="nowrap">
          <Button
            size="compact-sm"
            variant={name === shown?.name ? 'light' : 'default'}
            aria-pressed={name === shown?.name}
            leftSection={<Bookmark size={14} aria-hidden />}
            onClick={() => onOpen(saved)}
          >
            {name}
          </Button>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Delete the view ${name}`}
            onClick={() => remove(name)}
          >
            <Trash2 size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {canSave && <SaveView onSave={(name) => save({ name, filter })} />}
    </Group>
  );
}

function SaveView({ onSave }: { readonly onSave: (name: string) => void }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const submit = onSubmit((typed) => {
    const name = typed('name').trim();
    if (name === '') return;
    onSave(name);
    close();
  });
  return (
    <Popover opened={isOpen} onChange={close} trapFocus withinPortal={false} width={300}>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<BookmarkPlus size={14} aria-hidden />}
          onClick={toggle}
        >
          Save view
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              label="Name of the view"
              name="name"
              description="This browser keeps it. To share it, send the page's address."
              maxLength={MAX_NAME_LENGTH}
              required
              data-autofocus
            />
            <Button type="submit">Save</Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
