import { Stack } from '@mantine/core';
import { Page } from '../shell/page';
import { PasswordCard } from './password-card';
import { SearchFieldsCard } from './search-fields-card';
import { SessionsCard } from './sessions-card';

/** What belongs to the person: the password, and where they are signed in; and by what the account's events are found. */
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
