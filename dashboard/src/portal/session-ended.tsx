import { Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { hasOpenForm } from '../live/use-live-updates';
import { Page } from '../shell/page';
import { look } from './look';
import { isFramed, tellParent } from './parent-page';

/** How long the page around this one may take to send a new code. */
const PARENT_MS = 5_000;

const TITLE = 'Your session has ended';

/** Instead of a page: there is no session to show it with. */
export function SessionEndedPage() {
  useRefresh(true);
  return (
    <Page title={TITLE}>
      <SessionEndedText />
    </Page>
  );
}

/** Over a page whose session has ended: what was entered stays, in case a new session comes. */
export function SessionEndedDialog({ opened }: { readonly opened: boolean }) {
  useRefresh(opened);
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      title={TITLE}
      centered
      // Over every form, also one in a stack of dialogs.
      zIndex="var(--mantine-z-index-max)"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <SessionEndedText />
    </Modal>
  );
}

function SessionEndedText() {
  const { refresh_url: url } = look;
  return (
    <Stack align="flex-start">
      <Text role="status">
        {url === null ? 'Open this page again from where you came.' : 'Continue with a new session.'}
      </Text>
      {url !== null && (
        <Button component="a" href={url} data-autofocus>
          Continue
        </Button>
      )}
    </Stack>
  );
}

/** Asks the page around this one for a new code, or goes where there is one. A form that is open stays. */
function useRefresh(hasEnded: boolean): void {
  useEffect(() => {
    if (!hasEnded) return undefined;
    tellParent('everpost.session_expired');
    const { refresh_url: url } = look;
    if (url === null || hasOpenForm()) return undefined;
    const timer = setTimeout(() => location.assign(url), isFramed ? PARENT_MS : 0);
    return () => clearTimeout(timer);
  }, [hasEnded]);
}
