import { Badge, Button, Card, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { causeInWords } from '../../../src/domain/endpoint-health';
import type { FailureKind } from '../../../src/domain/failure-causes';
import type { AttemptOfEndpoint } from '../api/answers';
import { breakable } from '../elements/breakable';
import { CodeBlock } from '../elements/code-block';
import { NameCell, ScrollTable } from '../elements/data-table';
import { Folded } from '../elements/folded';
import { PageLink } from '../elements/links';
import type { ListFilter } from '../elements/list-filter';
import { ProblemAlert } from '../elements/problem-alert';
import { Ago, latency } from '../elements/time';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { attemptsList } from './endpoint-queries';
import { useEndpointSearch } from './use-endpoint-search';

const COLUMNS = ['Time', 'Event', 'Attempt', 'Outcome', { title: 'Latency', align: 'right' as const }, 'Answer'];

/** The last attempts to an endpoint, or those with one cause. */
export function AttemptsCard({ endpointId }: { readonly endpointId: string }) {
  const { cause } = useEndpointSearch();
  const list = useLiveList(attemptsList(endpointId, filterOf(cause)));
  const attempts = list.rows;
  return (
    <Card withBorder padding="lg" component="section" aria-label="Last attempts">
      <Stack>
        <AttemptsTitle cause={cause} />
        <ProblemAlert error={list.error} title="The attempts could not be loaded" />
        {list.isPending && <Loader aria-label="Loading the attempts" />}
        {list.isSuccess && attempts.length === 0 && !list.hasOlder && (
          <Text size="sm" c="dimmed">
            {cause ? 'No stored attempt failed with this.' : 'Nothing was sent to this endpoint yet.'}
          </Text>
        )}
        {list.isSuccess && <NewRows list={list} noun={['attempt', 'attempts']} />}
        {attempts.length > 0 && (
          <ScrollTable label="Attempts, newest first" minWidth={820} columns={COLUMNS}>
            {attempts.map((attempt) => (
              <AttemptRow key={`${attempt.delivery_id}/${attempt.run}/${attempt.number}`} attempt={attempt} />
            ))}
          </ScrollTable>
        )}
        <OlderRowsControl list={list} />
      </Stack>
    </Card>
  );
}

function filterOf(cause: FailureKind | undefined): ListFilter {
  if (!cause) return {};
  return { error_code: cause.code, ...(cause.statusCode !== null && { status_code: String(cause.statusCode) }) };
}

/** Takes the focus when the user opens the attempts with a cause, or all of them again. */
function AttemptsTitle({ cause }: { readonly cause: FailureKind | undefined }) {
  const { showCause } = useEndpointSearch();
  const title = useRef<HTMLHeadingElement>(null);
  const words = cause && causeInWords(cause);
  // Nothing is shown before: all attempts take no focus when the page opens.
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (words === shown.current) return;
    shown.current = words;
    title.current?.focus();
  }, [words]);
  return (
    <Group justify="space-between">
      <Title order={2} tabIndex={-1} ref={title}>
        {words === undefined ? 'Last attempts' : `Last attempts with ${words}`}
      </Title>
      {words !== undefined && (
        <Button size="xs" variant="default" onClick={() => showCause(undefined)}>
          Show all attempts
        </Button>
      )}
    </Group>
  );
}

function AttemptRow({ attempt }: { readonly attempt: AttemptOfEndpoint }) {
  const { event_id: eventId, number, run, trigger } = attempt;
  return (
    <Table.Tr>
      <Table.Td>
        <Ago at={attempt.started_at} />
      </Table.Td>
      <NameCell>
        <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(eventId) }} fw={600}>
          {eventId}
        </PageLink>
        <Text size="sm" ff="monospace">
          {attempt.event_type !== null && breakable(attempt.event_type)}
        </Text>
      </NameCell>
      <Table.Td>
        {number}
        {run > 1 && `, replay ${run - 1}`}
        {trigger === 'manual' && ', by hand'}
      </Table.Td>
      <Table.Td>
        <Badge color={attempt.succeeded ? 'tide' : 'red'} variant="light" tt="none" miw="max-content">
          {outcomeOf(attempt)}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">{latency(attempt.latency_ms)}</Table.Td>
      <Table.Td maw={320}>
        <AnswerOf attempt={attempt} />
      </Table.Td>
    </Table.Tr>
  );
}

function outcomeOf({ succeeded, status_code: statusCode, error_code: code }: AttemptOfEndpoint): string {
  return succeeded ? `HTTP ${statusCode}` : causeInWords({ code: code ?? 'http_status', statusCode });
}

/** The first bytes of the answer, when asked for; without one, what went wrong. */
function AnswerOf({ attempt }: { readonly attempt: AttemptOfEndpoint }) {
  const { response_snippet: snippet, error, event_id: eventId, number, run } = attempt;
  if (snippet === null || snippet === '') {
    return (
      <Text size="sm" c="dimmed">
        {error ?? 'empty'}
      </Text>
    );
  }
  return (
    <Folded title="Show">
      <CodeBlock code={snippet} label="the answer" of={`attempt ${number} of run ${run} of event ${eventId}`} wraps />
    </Folded>
  );
}
