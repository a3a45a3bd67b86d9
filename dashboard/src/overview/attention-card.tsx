import { Alert, Box, Card, Stack, Text, Title } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { quotaLevel } from '../../../src/domain/quota-level';
import { lazy, Suspense } from 'react';
import type { Overview } from '../api/answers';
import { PageLink } from '../elements/links';
import { AttentionRow } from './attention-row';
import { QuotaRow } from './quota-row';
import classes from './rows.module.css';

/** Loaded when there are some: the first load of the page has a bound. */
const SchemaErrorRows = lazy(async () => ({ default: (await import('./schema-error-rows')).SchemaErrorRows }));

/** A quota that is almost used up, and the endpoints that need attention, the worst first, and types with errors; one line if nothing does. */
export function AttentionCard({ overview }: { readonly overview: Overview }) {
  const { attention, more, endpoints, schema_errors: schemaErrors } = overview;
  const { used, limit, resets_at: resetsAt } = overview.limits.quota;
  const isQuotaShort = limit !== null && quotaLevel(used, limit) !== null;
  if (attention.length === 0 && schemaErrors.length === 0 && !isQuotaShort) return <Calm endpoints={endpoints} />;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="attention">
      <Stack gap="xs">
        <Title order={2} id="attention">
          Needs attention
        </Title>
        <Box component="ul" className={classes['list']}>
          {isQuotaShort && <QuotaRow used={used} limit={limit} resetsAt={resetsAt} />}
          {attention.map((entry) => (
            <AttentionRow key={entry.endpoint.id} entry={entry} />
          ))}
          {schemaErrors.length > 0 && (
            <Suspense>
              <SchemaErrorRows rows={schemaErrors} />
            </Suspense>
          )}
        </Box>
        {more > 0 && (
          <Text size="sm">
            <PageLink to="/dashboard/endpoints">{more === 1 ? '1 more endpoint' : `${more} more endpoints`}</PageLink>
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function Calm({ endpoints: { total, healthy } }: Pick<Overview, 'endpoints'>) {
  return (
    <Alert color="tide" icon={<CircleCheck size={18} aria-hidden />} role="status">
      {total === 0 ? (
        <>
          There are no endpoints.{' '}
          <PageLink to="/dashboard/endpoints" underline="always">
            Register one
          </PageLink>
        </>
      ) : (
        calmWords(total, healthy)
      )}
    </Alert>
  );
}

function calmWords(total: number, healthy: number): string {
  if (healthy === total) return total === 1 ? 'The endpoint is healthy.' : `All ${total} endpoints are healthy.`;
  const rest = 'no attempt but tests in the last 30 days';
  if (healthy === 0) return total === 1 ? `The endpoint had ${rest}.` : `The ${total} endpoints had ${rest}.`;
  return `${healthy} of ${total} endpoints ${healthy === 1 ? 'is' : 'are'} healthy. ${
    total - healthy === 1 ? 'The other one' : 'The others'
  } had ${rest}.`;
}
