import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/call-api';
import { ConfirmButton } from '../elements/confirm-button';
import { ProblemAlert } from '../elements/problem-alert';
import { accountName } from './account-name';
import type { ListedAccount } from './account-queries';
import { PortalButton } from './portal-button';
import { ViewButton } from './view-button';

type Account = Pick<ListedAccount, 'id' | 'external_id' | 'name' | 'email' | 'status'>;

/** Opens, suspends, resumes or deletes an account. Operators can't do this to their own account. */
export function AccountActions({ account, isOwn }: { readonly account: Account; readonly isOwn: boolean }) {
  const suspend = useAccountAction(account, 'POST', '/suspend');
  const resume = useAccountAction(account, 'POST', '/resume');
  const remove = useAccountAction(account, 'DELETE', '');
  if (isOwn || account.status === 'deleting') return null;
  const name = accountName(account);
  return (
    <Group gap="xs">
      <ViewButton id={account.id} name={name} />
      {account.status === 'active' && <PortalButton id={account.id} name={name} />}
      {account.status === 'active' ? (
        <ConfirmButton
          size="xs"
          variant="default"
          aria-label={`Suspend ${name}`}
          question={`Suspend ${name}?`}
          consequence="Its keys, sessions and streams stop working within a second. Pending deliveries wait until you resume the account. Bulk replays are cancelled."
          verb="Suspend"
          onConfirm={suspend.mutateAsync}
          isPending={suspend.isPending}
          error={suspend.error}
        >
          Suspend
        </ConfirmButton>
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={`Resume ${name}`}
          loading={resume.isPending}
          onClick={() => resume.mutate()}
        >
          Resume
        </Button>
      )}
      <ConfirmButton
        size="xs"
        variant="default"
        c="red"
        aria-label={`Delete ${name}`}
        question={`Delete ${name} permanently?`}
        consequence="The account is suspended immediately. Its keys, users, endpoints and events are then deleted. This can't be undone."
        verb="Delete"
        onConfirm={remove.mutateAsync}
        isPending={remove.isPending}
        error={remove.error}
      >
        Delete
      </ConfirmButton>
      <ProblemAlert error={resume.error} title="The account was not resumed" />
    </Group>
  );
}

function useAccountAction({ id }: Account, method: 'POST' | 'DELETE', suffix: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<Account>(`/dashboard/api/accounts/${id}${suffix}`, { method }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['accounts'] }),
  });
}
