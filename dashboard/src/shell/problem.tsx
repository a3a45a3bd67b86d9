import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiProblem } from '../api/call-api';
import { Page } from './page';

/** Instead of a page that could not be shown. */
export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const tryAgain = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="This page could not be shown">
      <Stack align="flex-start">
        <Text>{error instanceof Error ? error.message : 'The reason is not known.'}</Text>
        {error instanceof ApiProblem && error.requestId !== undefined && (
          <Text c="dimmed" size="sm">
            The request was <Code>{error.requestId}</Code>: the log of the server has it under this name.
          </Text>
        )}
        <Group>
          <Button onClick={tryAgain}>Try again</Button>
        </Group>
      </Stack>
    </Page>
  );
}

/** At an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="There is nothing here" description="The address leads nowhere, or what it led to is gone.">
      <Button component="a" href="/dashboard" variant="default">
        To the dashboard
      </Button>
    </Page>
  );
}
