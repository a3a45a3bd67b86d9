import { Button, Card, Group, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Key } from '../api/answers';
import { EmptyState } from '../elements/empty-state';
import { PageLink } from '../elements/links';
import { lazyDialog } from '../elements/lazy-dialog';
import { meQuery } from '../session/session-queries';
import { Page } from '../shell/page';
import { ACCOUNT_KEYS, MANAGEMENT_KEYS, type KeyKind } from './key-kinds';
import { KeyTable } from './key-table';
import { keysQuery } from './key-queries';
import { RotateKeyDialog } from './rotate-key-dialog';

const CreateKeyDialog = lazyDialog(() => import('./create-key-dialog'), 'CreateKeyDialog');

/** The account's API keys. */
export function KeysPage() {
  return <PageOfKeys kind={ACCOUNT_KEYS} />;
}

/** For operators: the keys of the installation. */
export function ManagementKeysPage() {
  return (
    <PageOfKeys kind={MANAGEMENT_KEYS}>
      <PageLink to="/dashboard/settings/audit" search={{ account_id: 'none' }} underline="always">
        Who created and revoked them
      </PageLink>
    </PageOfKeys>
  );
}

/** Keys of one kind: made, watched, rotated, revoked. */
function PageOfKeys({ kind, children }: { readonly kind: KeyKind; readonly children?: ReactNode }) {
  const { data } = useSuspenseQuery(keysQuery(kind));
  const { data: me } = useSuspenseQuery(meQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const [rotated, setRotated] = useState<Key>();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const keys: readonly Key[] = data.keys;
  const shown = keys.filter(({ revoked_at }) => showsRevoked || revoked_at === null);
  const hasRevoked = keys.some(({ revoked_at }) => revoked_at !== null);
  return (
    <Page
      title={kind.title}
      description={
        <>
          {kind.description} {children}
        </>
      }
      actions={
        !me.is_view && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
            New key
          </Button>
        )
      }
    >
      {keys.length === 0 ? (
        <EmptyState Icon={KeyRound} title="No keys yet">
          {kind.whenNone}
        </EmptyState>
      ) : (
        <Card withBorder padding={0}>
          {hasRevoked && (
            <Group p="md" pb={0} justify="flex-end">
              <Switch
                label="Show revoked keys"
                checked={showsRevoked}
                onChange={({ currentTarget }) => setShowsRevoked(currentTarget.checked)}
              />
            </Group>
          )}
          <KeyTable kind={kind} keys={shown} onRotate={setRotated} />
          {data.has_more && (
            <Text size="sm" c="dimmed" p="md">
              Of the revoked and expired keys, only the newest are listed. The audit log has the others.
            </Text>
          )}
        </Card>
      )}
      <CreateKeyDialog kind={kind} opened={isCreating} onClose={close} />
      {rotated && <RotateKeyDialog kind={kind} old={rotated} onClose={() => setRotated(undefined)} />}
    </Page>
  );
}
