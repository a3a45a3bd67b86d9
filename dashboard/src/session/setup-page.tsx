import { Button } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../shell/page';
import { EntryForm } from './entry-form';

/** Opened by the link that a new installation prints; its token is behind the `#`, so it appears in no log. */
export function SetupPage() {
  const [token] = useState(() => location.hash.slice(1));
  if (token === '') {
    return (
      <Page title="This link is incomplete" description="Open the whole set-up link, exactly as it was printed.">
        <Button component="a" href="/dashboard" variant="default">
          To the dashboard
        </Button>
      </Page>
    );
  }
  return (
    <EntryForm
      title="Set up Everpost"
      lead="You become an operator of this installation, and the owner of the account that the link is for. At the first start, that is the account whose API key was printed."
      verb="Set up Everpost"
      failure="The set-up failed"
      path="/dashboard/api/setup"
      extra={{ token }}
      isNewPassword
      next="/dashboard"
    />
  );
}
