import { Card, Loader, Stack, Text, Title } from '@mantine/core';
import { AuditTable } from '../audit/audit-table';
import { useAudit } from '../audit/use-audit';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';

/** Who changed an endpoint, when, and what. */
export function ChangesCard({ endpointId }: { readonly endpointId: string }) {
  const { log, entries } = useAudit({ object: endpointId });
  return (
    <Card withBorder padding="lg" component="section" aria-label="Changes">
      <Stack>
        <Title order={2}>Changes</Title>
        <ProblemAlert error={log.error} title="The changes could not be loaded" />
        {log.isPending && <Loader aria-label="Loading" />}
        {log.isSuccess && entries.length === 0 && <Text size="sm">The audit log has no change of this endpoint.</Text>}
        {entries.length > 0 && <AuditTable label="Changes of this endpoint" entries={entries} />}
        <LoadMore
          hasMore={log.hasNextPage}
          isLoading={log.isFetchingNextPage}
          onLoad={() => void log.fetchNextPage()}
        />
      </Stack>
    </Card>
  );
}
