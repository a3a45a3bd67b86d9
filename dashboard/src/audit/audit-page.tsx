import { Alert, Button, Loader } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Eye, ScrollText } from 'lucide-react';
import { EmptyList } from '../elements/empty-state';
import { isNarrowed, queryOf, type ListFilter } from '../elements/list-filter';
import { PageLink } from '../elements/links';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';
import { Page } from '../shell/page';
import { AuditFilterBar } from './audit-filter-bar';
import { AuditTable } from './audit-table';
import { useAudit } from './use-audit';

/** What the API calls the log of what belongs to no account. */
const OF_NO_ACCOUNT = 'none';

/** Who did what in this account, or, for operators, in another one. Nothing is ever changed here. */
export function AuditPage() {
  const asked = useSearch({ from: '/dashboard/settings/audit' });
  const { account_id: accountId, ...filter } = asked;
  const navigate = useNavigate();
  const { log, entries } = useAudit(asked);
  return (
    <Page
      title="Audit log"
      description="Who did what, when and from where: sign-ins, keys, revealed secrets, endpoint changes, replays."
      actions={
        <Button
          component="a"
          href={exportPath(asked)}
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          Export as CSV
        </Button>
      }
    >
      <AuditFilterBar
        filter={filter}
        onChange={(search) =>
          void navigate({
            to: '/dashboard/settings/audit',
            search: { ...(accountId !== undefined && { account_id: accountId }), ...search },
          })
        }
      />
      {accountId !== undefined && <OtherLogNotice accountId={accountId} />}
      <ProblemAlert error={log.error} title="The log could not be loaded" />
      {log.isPending && <Loader aria-label="Loading" />}
      {log.isSuccess && entries.length === 0 && (
        <EmptyList
          Icon={ScrollText}
          noun={['entry', 'entries']}
          isNarrowed={isNarrowed(filter)}
          hasOlder={log.hasNextPage}
        >
          Everpost records here what you and your programs change.
        </EmptyList>
      )}
      {entries.length > 0 && <AuditTable label="Audit log" entries={entries} />}
      <LoadMore hasMore={log.hasNextPage} isLoading={log.isFetchingNextPage} onLoad={() => void log.fetchNextPage()} />
    </Page>
  );
}

/** For operators: whose log this is, and the way to their own. */
function OtherLogNotice({ accountId }: { readonly accountId: string }) {
  return (
    <Alert color="yellow" mb="md" icon={<Eye size={18} aria-hidden />}>
      {accountId === OF_NO_ACCOUNT ? (
        'This is the log of the installation: management keys, and sign-ins with unknown addresses.'
      ) : (
        <>
          This is the log of the account{' '}
          <PageLink to="/dashboard/accounts/$accountId" params={{ accountId }} inherit underline="always">
            {accountId}
          </PageLink>
          . That you read it is in it.
        </>
      )}{' '}
      <PageLink to="/dashboard/settings/audit" inherit underline="always">
        Your own log
      </PageLink>
    </Alert>
  );
}

function exportPath(filter: ListFilter): string {
  const query = queryOf(filter, null);
  query.delete('limit');
  return `/dashboard/api/audit.csv?${query}`;
}
