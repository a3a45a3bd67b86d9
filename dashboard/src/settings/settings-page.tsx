import { Stack } from '@mantine/core';
import { Page } from '../shell/page';
import { PasswordCard } from './password-card';
import { SearchFieldsCard } from './search-fields-card';
import { SessionsCard } from './sessions-card';

/** The user's password and sessions, and the account's search fields. */
export function SettingsPage() {
  return (
    <Page title="Settings" description="Your password, your sessions, and the fields by which events are found.">
      <Stack gap="lg">
        <PasswordCard />
        <SessionsCard />
        <SearchFieldsCard />
      </Stack>
    </Page>
  );
}
