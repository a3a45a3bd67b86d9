import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazyDialog } from '../elements/lazy-dialog';
import { Page } from '../shell/page';
import { AttemptsCard } from './attempts-card';
import { CausesCard } from './causes-card';
import { EndpointActions, EndpointSummary } from './endpoint-head';
import { FailingNotice, HeldNotice, UnverifiedNotice } from './endpoint-notices';
import { endpointHistoryQuery, endpointQuery, useSendTest } from './endpoint-queries';
import { HistoryCard } from './history-card';
import { SecretPanel } from './secret-panel';
import { SettingsCard } from './settings-card';
import { TestResult } from './test-result';
import { useEndpointSearch } from './use-endpoint-search';
import { WaitingCard } from './waiting-card';

const EditEndpointDialog = lazyDialog(() => import('./edit-endpoint-dialog'), 'EditEndpointDialog');

/** One endpoint: its health with causes, what waits for it, and all actions. */
export function EndpointPage() {
  const { endpointId } = useParams({ from: '/dashboard/endpoints/$endpointId' });
  const { window } = useEndpointSearch();
  const { data: endpoint } = useSuspenseQuery(endpointQuery(endpointId));
  const { data: history, error } = useQuery(endpointHistoryQuery(endpointId, window));
  const health = history?.health ?? endpoint.health;
  const [isEditing, { open, close }] = useDisclosure(false);
  const test = useSendTest(endpointId);
  return (
    <Page
      title={endpoint.description || new URL(endpoint.url).host}
      description={<EndpointSummary endpoint={endpoint} health={health} />}
      actions={<EndpointActions endpoint={endpoint} health={health} onEdit={open} test={test} />}
    >
      <Stack gap="lg">
        <HeldNotice endpoint={endpoint} />
        <FailingNotice health={health} />
        <UnverifiedNotice endpoint={endpoint} />
        <TestResult test={test} endpointId={endpointId} />
        <WaitingCard endpoint={endpoint} />
        <CausesCard endpointId={endpointId} history={history} />
        <HistoryCard history={history} error={error} />
        <AttemptsCard endpointId={endpointId} />
        <SettingsCard endpoint={endpoint} />
        <SecretPanel endpoint={endpoint} />
      </Stack>
      <EditEndpointDialog endpoint={endpoint} opened={isEditing} onClose={close} />
    </Page>
  );
}
