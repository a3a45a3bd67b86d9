import { Button, Card, Group, PasswordInput, Stack, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/call-api';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';

/** What the server calls the new password: as a field, and where it judges how easily it is guessed. */
const NEW_PASSWORD = ['new_password', 'password'];

/** Changes the password. Every other session ends. */
export function PasswordCard() {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      callApi<void>('/dashboard/api/password', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const submit = onSubmit((typed, form) =>
    change.mutate(
      { current_password: typed('current'), new_password: typed('new') },
      {
        onSuccess: () => {
          form.reset();
          notifications.show({ message: 'The password is changed. All other sessions are signed out.' });
        },
      },
    ),
  );
  return (
    <Card withBorder padding="lg">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <Title order={2}>Password</Title>
          <ProblemAlert error={change.error} title="The password was not changed" fields={NEW_PASSWORD} />
          <PasswordInput label="Current password" name="current" autoComplete="current-password" required />
          <PasswordInput
            label="New password"
            name="new"
            autoComplete="new-password"
            description="At least 12 characters. A change signs out all other sessions."
            required
            error={NEW_PASSWORD.map((path) => problemOf(change.error, path)).find((problem) => problem !== undefined)}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
