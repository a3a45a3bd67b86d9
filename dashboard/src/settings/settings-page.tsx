import { Stack } from '@mantine/core';
import { Page } from '../shell/page';
import { PasswordCard } from './password-card';
import { SessionsCard } from './sessions-card';

/** What belongs to the person: the password, and where they are signed in. */
export function SettingsPage() {
  return (
    <Page title="Settings" description="Your password and your sessions.">
      <Stack gap="lg">
        <PasswordCard />
        <SessionsCard />
      </Stack>
    </Page>
  );
}
