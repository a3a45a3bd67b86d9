import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiProblem, callApi } from '../api/call-api';
import { surface } from '../api/surface';
import { statusPath } from '../session/session-queries';
import { PageButton } from '../elements/links';
import { Page } from './page';

const TRY_AGAIN_MS = 3_000;

/** Instead of a page that could not be shown. While the server is away, it tries again by itself. */
export function ProblemPage({ error }: ErrorComponentProps) {
  // Only once the server answers: until then the browser would replace the application by its own error.
  const reload = useMutation({ mutationFn: () => callApi(statusPath), onSuccess: () => location.reload() });
  const { mutate: tryAgain } = reload;
  const isAway = error instanceof ApiProblem && error.status === 0;
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setInterval(() => tryAgain(), TRY_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway, tryAgain]);
  if (isAboutAddress(error)) return <NotFound reason={error.message} />;
  return (
    <Page title="This page could not be loaded">
      <Stack align="flex-start">
        <Text>{messageOf(error)}</Text>
        {error instanceof ApiProblem && error.requestId !== undefined && (
          <Text c="dimmed" size="sm">
            Request id: <Code>{error.requestId}</Code>.{' '}
            {surface().isPortal ? 'Tell it to support.' : 'The server log has the details under this id.'}
          </Text>
        )}
        <Group>
          <Button onClick={() => reload.mutate()}>Try again</Button>
          {reload.isError && <Text role="status">The server still does not answer.</Text>}
        </Group>
      </Stack>
    </Page>
  );
}

/** Whether the page asked for something that does not exist, or that can't exist. */
function isAboutAddress(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 400);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Unknown error.';
}

/** At an address that leads nowhere. */
export function NotFoundPage() {
  return <NotFound reason="This address does not exist." />;
}

function NotFound({ reason }: { readonly reason: string }) {
  return (
    <Page title="Not found" description={reason}>
      <PageButton to="/dashboard" variant="default">
        {surface().isPortal ? 'To the first page' : 'To the dashboard'}
      </PageButton>
    </Page>
  );
}
