import { Badge, Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionList } from '../api/answers';
import { callApi } from '../api/call-api';
import { ScrollTable } from '../elements/data-table';
import { ProblemAlert } from '../elements/problem-alert';
import { Ago } from '../elements/time';
import { sessionsQuery } from '../session/session-queries';
import { describeBrowser } from './describe-browser';

type Session = SessionList['sessions'][number];

/** Where this user is signed in; every session can be ended from here. */
export function SessionsCard() {
  const { data, error } = useQuery(sessionsQuery);
  const client = useQueryClient();
  const end = useMutation({
    // Without an id: all but this one.
    mutationFn: (id: string | undefined) =>
      callApi<unknown>(`/dashboard/api/sessions${id === undefined ? '' : `/${id}`}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const sessions = data?.sessions ?? [];
  return (
    <Card withBorder padding="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Sessions</Title>
          {sessions.length > 1 && (
            <Button variant="default" size="compact-sm" onClick={() => end.mutate(undefined)} loading={end.isPending}>
              Sign out all others
            </Button>
          )}
        </Group>
        <ProblemAlert error={error ?? end.error} title="The request failed" />
        <ScrollTable
          label="Sessions"
          minWidth={520}
          columns={['Browser', 'Address', 'Signed in', 'Last seen', { title: 'Actions', isHidden: true }]}
        >
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
          ))}
        </ScrollTable>
        <Text size="sm" c="dimmed">
          A session ends after 30 minutes without activity, and 8 hours after its sign-in at the latest.
        </Text>
      </Stack>
    </Card>
  );
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const browser = describeBrowser(session.user_agent);
  return (
    <Table.Tr>
      <Table.Td title={session.user_agent}>{browser}</Table.Td>
      <Table.Td className="figures">{session.address}</Table.Td>
      <Table.Td>
        <Ago at={session.created_at} />
      </Table.Td>
      <Table.Td>
        <Ago at={session.last_seen_at} />
      </Table.Td>
      <Table.Td ta="right">
        {session.current ? (
          <Badge variant="light" tt="none">
            This session
          </Badge>
        ) : (
          <Button size="compact-sm" variant="default" onClick={onEnd} aria-label={`Sign out ${browser}`}>
            Sign out
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
