import { Card, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountName } from '../accounts/account-name';
import { ViewButton } from '../accounts/view-button';
import type { Installation } from '../api/answers';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { clockTime, remainingTime } from '../elements/time';
import { countInWords } from './count-in-words';
import { installationQuery } from './overview-queries';

const COLUMNS = [
  'Account',
  'Endpoints',
  'Failing since',
  { title: 'Waiting deliveries', align: 'right' as const },
  { title: 'Actions', isHidden: true },
];

/** For operators: what needs attention in all accounts, and the way into each. */
export function InstallationCard({ ownAccountId }: { readonly ownAccountId: string }) {
  const { data, error } = useQuery(installationQuery);
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="installation">
      <Stack gap="sm">
        <Title order={2} id="installation">
          All accounts
        </Title>
        <ProblemAlert error={error} title="The accounts could not be loaded" />
        {data && <Overdue overdue={data.overdue} />}
        {data?.accounts.length === 0 && <Text size="sm">No account has an endpoint that fails or is stopped.</Text>}
        {data && data.accounts.length > 0 && (
          <DataTable label="Accounts that need attention" minWidth={720} columns={COLUMNS}>
            {data.accounts.map((row) => (
              <AccountRow key={row.account.id} row={row} isOwn={row.account.id === ownAccountId} />
            ))}
          </DataTable>
        )}
        {data && (data.more > 0 || !data.complete) && (
          <Text size="sm">
            {data.complete ? `${data.more} more accounts need attention.` : 'More accounts need attention.'}{' '}
            <PageLink to="/dashboard/accounts">All accounts</PageLink>
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function Overdue({ overdue: { events, oldest_seconds: seconds } }: Pick<Installation, 'overdue'>) {
  if (events === 0) return <Text size="sm">No delivery is late: whatever is due is being sent.</Text>;
  const count = events >= 10_000 ? '10,000 or more' : events.toLocaleString('en');
  return (
    <Text size="sm">
      {count} {events === 1 ? 'event has' : 'events have'} a delivery that is due now, the oldest for{' '}
      {remainingTime(seconds * 1_000)}.
    </Text>
  );
}

type Row = Installation['accounts'][number];

function AccountRow({ row, isOwn }: { readonly row: Row; readonly isOwn: boolean }) {
  const { account, failing_since: since, backlog } = row;
  return (
    <Table.Tr>
      <NameCell>
        <PageLink to="/dashboard/accounts/$accountId" params={{ accountId: account.id }}>
          {breakable(accountName(account))}
        </PageLink>
        <Text size="sm" ff="monospace" c="dimmed">
          {account.id}
        </Text>
      </NameCell>
      <Table.Td>{endpointsInWords(row)}</Table.Td>
      <Table.Td>{since === null ? '–' : clockTime(since)}</Table.Td>
      <Table.Td ta="right" className="figures">
        {countInWords(backlog)}
      </Table.Td>
      <Table.Td>{isOwn ? 'Yours' : <ViewButton id={account.id} name={accountName(account)} />}</Table.Td>
    </Table.Tr>
  );
}

/** `2 failing, 1 paused`. */
function endpointsInWords(row: Row): string {
  const states = ['failing', 'disabled', 'degraded', 'paused'] as const;
  return states
    .filter((state) => row[state] > 0)
    .map((state) => `${row[state]} ${state}`)
    .join(', ');
}
