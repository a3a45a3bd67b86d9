import { Loader, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { lazyDialog } from '../elements/lazy-dialog';
import { Page } from '../shell/page';
import { CausesCard } from './causes-card';
import { EndpointActions, EndpointSummary } from './endpoint-head';
import { FailingNotice, HeldNotice, UnverifiedNotice } from './endpoint-notices';
import { endpointHistoryQuery, endpointQuery, useSendTest } from './endpoint-queries';
import { HistoryCard } from './history-card';
import { TestResult } from './test-result';
import { endpointTabs, useEndpointSearch } from './use-endpoint-search';
import { WaitingCard } from './waiting-card';

/** Loaded with their tabs: the first load of the page has a bound. */
const AttemptsCard = lazy(async () => ({ default: (await import('./attempts-card')).AttemptsCard }));
const SettingsCard = lazy(async () => ({ default: (await import('./settings-card')).SettingsCard }));
const SecretPanel = lazy(async () => ({ default: (await import('./secret-panel')).SecretPanel }));
const ChangesCard = lazy(async () => ({ default: (await import('./changes-card')).ChangesCard }));
const EditEndpointDialog = lazyDialog(() => import('./edit-endpoint-dialog'), 'EditEndpointDialog');

/** One endpoint: how it does and what waits for it, its deliveries, its settings, and who changed it. */
export function EndpointPage() {
  const { endpointId } = useParams({ from: '/dashboard/endpoints/$endpointId' });
  const { window, tab, setTab } = useEndpointSearch();
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
      <TestResult test={test} endpointId={endpointId} />
      <Tabs value={tab} onChange={(chosen) => chosen !== null && setTab(chosen)} keepMounted={false}>
        <Tabs.List mb="lg">
          {endpointTabs().map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="state">
          <Stack gap="lg">
            <HeldNotice endpoint={endpoint} />
            <FailingNotice health={health} />
            <UnverifiedNotice endpoint={endpoint} />
            <WaitingCard endpoint={endpoint} />
            <CausesCard endpointId={endpointId} history={history} />
            <HistoryCard history={history} error={error} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <Suspense fallback={<Loader aria-label="Loading the attempts" />}>
            <AttemptsCard endpointId={endpointId} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Suspense fallback={<Loader aria-label="Loading the settings" />}>
            <Stack gap="lg">
              <SettingsCard endpoint={endpoint} />
              <SecretPanel endpoint={endpoint} />
            </Stack>
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Suspense fallback={<Loader aria-label="Loading the changes" />}>
            <ChangesCard endpointId={endpointId} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <EditEndpointDialog endpoint={endpoint} opened={isEditing} onClose={close} />
    </Page>
  );
}
