import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AccountDetail } from '../api/answers';
import { PageLink } from '../elements/links';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { meQuery } from '../session/session-queries';
import { Page } from '../shell/page';
import { AccountActions } from './account-actions';
import { AccountEndpointsCard } from './account-endpoints-card';
import { AccountForm } from './account-form';
import { accountName } from './account-name';
import { accountQuery } from './account-queries';
import { AccountUsageCard } from './account-usage-card';

/** For operators: one account, what it did this month, how its endpoints do, and its settings. */
export function AccountPage() {
  const { accountId } = useParams({ from: '/dashboard/accounts/$accountId' });
  const { data: account } = useSuspenseQuery(accountQuery(accountId));
  const { data: me } = useSuspenseQuery(meQuery);
  const isOwn = accountId === me.account.id;
  return (
    <Page
      title={accountName(account)}
      description={<AccountSummary account={account} />}
      actions={<AccountActions account={account} isOwn={isOwn} />}
    >
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <AccountUsageCard account={account} />
          <AccountEndpointsCard account={account} isOwn={isOwn} />
        </SimpleGrid>
        <AccountForm key={account.id} account={account} />
      </Stack>
    </Page>
  );
}

function AccountSummary({ account }: { readonly account: AccountDetail }) {
  const { id, external_id: externalId, status, created_at: createdAt } = account;
  return (
    <Group gap="sm">
      <StateBadge state={status} />
      {externalId !== null && (
        <Text size="sm" ff="monospace">
          {externalId}
        </Text>
      )}
      <Text size="sm" ff="monospace">
        {id}
      </Text>
      <Text size="sm">
        created <Ago at={createdAt} />
      </Text>
      <PageLink to="/dashboard/settings/audit" search={{ account_id: id }} size="sm">
        Audit log
      </PageLink>
    </Group>
  );
}
