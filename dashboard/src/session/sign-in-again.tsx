import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { User } from '../api/answers';
import { callApi } from '../api/call-api';
import { PageLink } from '../elements/links';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { meQuery } from './session-queries';

interface SignInAgainProps {
  readonly opened: boolean;
  /** Called once the user is signed in. */
  readonly onClose: () => void;
}

/** Over a form whose session has ended: signs the same user in again, and leaves the form as it is. */
export function SignInAgain({ opened, onClose }: SignInAgainProps) {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const email = me?.user.email ?? '';
  const enter = useMutation({
    mutationFn: (password: string) =>
      callApi<User>('/dashboard/api/sign-in', { method: 'POST', body: { email, password } }),
    onSuccess: onClose,
  });
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      title="Your session has ended"
      centered
      // Over every form, also one in a stack of dialogs.
      zIndex="var(--mantine-z-index-max)"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={onSubmit((typed) => enter.mutate(typed('password')))}>
        <Stack>
          <Text size="sm">Sign in again, and go on where you were. What you entered is still there.</Text>
          <ProblemAlert error={enter.error} title="Sign-in failed" />
          {/* For password managers. */}
          <input type="hidden" name="email" autoComplete="username" value={email} />
          <PasswordInput
            label={`Password of ${email}`}
            name="password"
            autoComplete="current-password"
            required
            data-autofocus
          />
          <Button type="submit" loading={enter.isPending}>
            Sign in
          </Button>
          <Text size="sm" ta="center">
            <PageLink to="/dashboard/sign-in" reloadDocument underline="always">
              Sign in as another user, and leave the form
            </PageLink>
          </Text>
        </Stack>
      </form>
    </Modal>
  );
}
