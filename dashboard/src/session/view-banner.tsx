import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { accountName } from '../accounts/account-name';
import { meQuery } from './session-queries';
import { useLeaveAccount } from './view-account';

/** While an operator looks at another account: which one, and the way out. */
export function ViewBanner() {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const leave = useLeaveAccount();
  if (!me?.is_view) return null;
  return (
    <Alert color="yellow" radius={0} icon={<Eye size={18} aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          You look at the account <strong>{accountName(me.account)}</strong>. You can read everything but secrets, and
          change nothing. Its audit log says so.
        </Text>
        <Button size="xs" variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
          Leave this account
        </Button>
      </Group>
    </Alert>
  );
}
