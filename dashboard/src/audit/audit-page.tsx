import { Button, Loader } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { EmptyList } from '../elements/empty-state';
import { isNarrowed, queryOf, type ListFilter } from '../elements/list-filter';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';
import { Page } from '../shell/page';
import { AuditFilterBar } from './audit-filter-bar';
import { AuditTable } from './audit-table';
import { useAudit } from './use-audit';

/** Who did what in this account. Nothing is ever changed here. */
export function AuditPage() {
  const filter = useSearch({ from: '/dashboard/settings/audit' });
  const navigate = useNavigate();
  const { log, entries } = useAudit(filter);
  return (
    <Page
      title="Audit log"
      description="Who did what, when and from where: sign-ins, keys, revealed secrets, endpoint changes, replays."
      actions={
        <Button
          component="a"
          href={exportPath(filter)}
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          Export as CSV
        </Button>
      }
    >
      <AuditFilterBar
        filter={filter}
        onChange={(search) => void navigate({ to: '/dashboard/settings/audit', search })}
      />
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

function exportPath(filter: ListFilter): string {
  const query = queryOf(filter, null);
  query.delete('limit');
  return `/dashboard/api/audit.csv?${query}`;
}
