import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys, useOs } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { lazyDialog } from '../elements/lazy-dialog';
import { openAlone, unlessWriting } from '../elements/open-alone';
import { meQuery } from '../session/session-queries';
import classes from './search.module.css';

// Keys that are pressed while the dialog's file is still on its way would be lost.
const SearchDialog = lazyDialog(() => import('./search-dialog'), 'SearchDialog', { atOnce: true });

/** The search of an account: a button, and the keys `/` and Ctrl-K. Empty without a signed-in user. */
export function AccountSearch() {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  return me ? <SearchButton accountId={me.account.id} /> : null;
}

function SearchButton({ accountId }: { readonly accountId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const isApple = ['macos', 'ios'].includes(useOs());
  useHotkeys(
    [
      unlessWriting('/', openAlone(open)),
      // Keyboards on which "/" needs Shift.
      unlessWriting('shift + /', openAlone(open)),
      ['mod + K', openAlone(open)],
    ],
    [],
  );
  return (
    <>
      <UnstyledButton className={classes['box']} onClick={open} visibleFrom="sm" aria-keyshortcuts="/ Control+K Meta+K">
        <Search size={16} aria-hidden />
        <span className={classes['boxText']}>Search</span>
        <Kbd size="xs" aria-hidden>
          {isApple ? '⌘K' : 'Ctrl K'}
        </Kbd>
        <Kbd size="xs" aria-hidden>
          /
        </Kbd>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size="lg" hiddenFrom="sm" onClick={open} aria-label="Search">
        <Search size={18} aria-hidden />
      </ActionIcon>
      <SearchDialog accountId={accountId} opened={isOpen} onClose={close} />
    </>
  );
}
