import { Grid, Skeleton, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Overview } from '../api/answers';
import { ProblemAlert } from '../elements/problem-alert';
import { meQuery } from '../session/session-queries';
import { Page } from '../shell/page';
import { ActivitySection } from './activity-section';
import { AttentionCard } from './attention-card';
import { BehindCard } from './behind-card';
import { FirstStepsCard } from './first-steps-card';
import { InstallationCard } from './installation-card';
import { LimitsCard } from './limits-card';
import { overviewQuery } from './overview-queries';
import { RunningJobsCard } from './running-jobs-card';
import { UsageCard } from './usage-card';

/** What needs attention now, for operators in all accounts too, and the account's attempts; before the first delivery, the steps to it. */
export function OverviewPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const { data, error } = useQuery(overviewQuery);
  return (
    <Page title="Now">
      <Stack gap="lg">
        {me.user.operator && !me.is_view && <InstallationCard ownAccountId={me.account.id} />}
        <ProblemAlert error={error} title="The overview could not be loaded" />
        {data ? <Content overview={data} /> : !error && <Skeleton height={120} />}
      </Stack>
    </Page>
  );
}

function Content({ overview }: { readonly overview: Overview }) {
  const { first_steps: steps } = overview;
  const [hasSteps, setHasSteps] = useState(false);
  // They stay for this visit, so that the last one is seen done too.
  if (steps && !hasSteps) setHasSteps(true);
  return (
    <>
      {hasSteps && <FirstStepsCard steps={steps} onHide={() => setHasSteps(false)} />}
      {(steps === null || steps.event) && (
        <>
          <AttentionCard overview={overview} />
          <RunningJobsCard />
          <BehindCard behind={overview.behind} />
          <ActivitySection backlog={overview.backlog} />
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 4 }}>
              <LimitsCard limits={overview.limits} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <UsageCard />
            </Grid.Col>
          </Grid>
        </>
      )}
    </>
  );
}
