import { ActionIcon, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleUser, LogOut, Settings } from 'lucide-react';
import { meQuery } from './session-queries';
import { useSignOut } from './use-sign-out';

/** Who is signed in, and the way out. Nothing while nobody is. */
export function UserMenu() {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const signOut = useSignOut();
  if (!me) return null;
  return (
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
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
