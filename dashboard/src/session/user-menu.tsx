import { ActionIcon, Menu, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleUser, Keyboard, LogOut, Settings } from 'lucide-react';
import { lazyDialog } from '../elements/lazy-dialog';
import { openAlone, unlessWriting } from '../elements/open-alone';
import type { Me } from '../api/answers';
import { meQuery } from './session-queries';
import { useSignOut } from './use-sign-out';

const ShortcutsDialog = lazyDialog(() => import('../shell/shortcuts-dialog'), 'ShortcutsDialog');

/** The signed-in user, the keyboard shortcuts, and the sign-out. Empty without a signed-in user. */
export function UserMenu() {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const signOut = useSignOut();
  return me ? <MenuOf me={me} onSignOut={() => signOut.mutate()} /> : null;
}

interface MenuOfProps {
  readonly me: Me;
  readonly onSignOut: () => void;
}

function MenuOf({ me, onSignOut }: MenuOfProps) {
  const [hasShortcuts, { open, close }] = useDisclosure(false);
  useHotkeys(
    [
      unlessWriting('shift + ?', openAlone(open)),
      // Keyboards on which "?" needs no Shift.
      unlessWriting('?', openAlone(open)),
    ],
    [],
  );
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
            <CircleUser size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} truncate>
              {me.user.email}
            </Text>
            {me.account.tier.name} tier
          </Menu.Label>
          <Menu.Item component={Link} to="/dashboard/settings" leftSection={<Settings size={16} aria-hidden />}>
            Settings
          </Menu.Item>
          <Menu.Item leftSection={<Keyboard size={16} aria-hidden />} onClick={open} aria-keyshortcuts="?">
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={onSignOut}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ShortcutsDialog opened={hasShortcuts} onClose={close} />
    </>
  );
}
