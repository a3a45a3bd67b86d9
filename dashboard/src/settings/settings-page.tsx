import { Stack } from '@mantine/core';
import { Page } from '../shell/page';
import { PasswordCard } from './password-card';
import { SessionsCard } from './sessions-card';

/** The user's password and sessions. */
export function SettingsPage() {
  return (
    <Page title="Password and sessions" description="How you sign in, and where you are signed in.">
      <Stack gap="lg">
        <PasswordCard />
        <SessionsCard />
      </Stack>
    </Page>
  );
}
