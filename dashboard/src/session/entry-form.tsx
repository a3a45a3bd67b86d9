import { Button, Card, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import type { User } from '../api/answers';
import { callApi } from '../api/call-api';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';

interface EntryFormProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly verb: string;
  readonly failure: string;
  /** Where e-mail address and password are sent, and what with them. */
  readonly path: string;
  readonly extra?: Readonly<Record<string, string>>;
  /** Whether the password is a new one: browsers offer to make and keep it. */
  readonly isNewPassword: boolean;
  readonly next: string;
  readonly footer?: ReactNode;
}

/** E-mail address and password: the form of sign-in, sign-up and set-up. */
export function EntryForm(props: EntryFormProps) {
  const { title, lead, verb, failure, path, extra, isNewPassword, next, footer } = props;
  const client = useQueryClient();
  const navigate = useNavigate();
  const enter = useMutation({
    mutationFn: (fields: Record<string, string>) =>
      callApi<User>(path, { method: 'POST', body: { ...extra, ...fields } }),
    onSuccess: async () => {
      client.clear();
      await navigate({ to: next });
    },
  });
  useEffect(() => {
    document.title = `${title} · Everpost`;
  }, [title]);

  const submit = onSubmit((typed) => enter.mutate({ email: typed('email'), password: typed('password') }));

  return (
    <Center py={{ base: 'xl', sm: 72 }} px="md">
      <Card withBorder padding="xl" w="100%" maw={440} shadow="sm">
        <form onSubmit={submit}>
          <Stack>
            <Stack gap={4}>
              <Title order={1} size="h2" fz="1.5rem" tabIndex={-1}>
                {title}
              </Title>
              <Text c="dimmed" size="sm" component="div">
                {lead}
              </Text>
            </Stack>
            <ProblemAlert error={enter.error} title={failure} fields={['email', 'password']} />
            <TextInput
              label="E-mail"
              name="email"
              type="email"
              autoComplete="username"
              required
              error={problemOf(enter.error, 'email')}
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete={isNewPassword ? 'new-password' : 'current-password'}
              description={
                isNewPassword ? 'At least 12 characters. Several unrelated words make a good password.' : undefined
              }
              required
              error={problemOf(enter.error, 'password')}
            />
            <Button type="submit" loading={enter.isPending} fullWidth>
              {verb}
            </Button>
            {footer !== undefined && (
              <Text size="sm" ta="center">
                {footer}
              </Text>
            )}
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
