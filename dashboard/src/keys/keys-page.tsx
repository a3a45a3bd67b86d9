import { Button, Card, Group, Switch, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../api/answers';
import { NameCell, ScrollTable } from '../elements/data-table';
import { ConfirmButton } from '../elements/confirm-button';
import { EmptyState } from '../elements/empty-state';
import { useNow } from '../elements/clock';
import { lazyDialog } from '../elements/lazy-dialog';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { meQuery } from '../session/session-queries';
import { Page } from '../shell/page';
import { rightsOf } from './key-limits';
import { keysQuery, useRevokeKey } from './key-queries';
import { RotateKeyDialog } from './rotate-key-dialog';

const CreateKeyDialog = lazyDialog(() => import('./create-key-dialog'), 'CreateKeyDialog');

/** The account's API keys: made, watched, rotated, revoked. */
export function KeysPage() {
  const { data } = useSuspenseQuery(keysQuery());
  const { data: me } = useSuspenseQuery(meQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const [rotated, setRotated] = useState<Key>();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const shown = data.keys.filter(({ revoked_at }) => showsRevoked || revoked_at === null);
  const hasRevoked = data.keys.some(({ revoked_at }) => revoked_at !== null);
  return (
    <Page
      title="API keys"
      description="Each key works for one product. The full key is shown once, when you create it."
      actions={
        !me.is_view && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
            New key
          </Button>
        )
      }
    >
      {data.keys.length === 0 ? (
        <EmptyState Icon={KeyRound} title="No keys yet">
          Your programs need a key to register endpoints and send events. Create the first one, and store it with the
          secrets of your back end.
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
          <KeyTable keys={shown} onRotate={setRotated} />
          {data.has_more && (
            <Text size="sm" c="dimmed" p="md">
              Of the revoked and expired keys, only the newest are listed. The audit log has the others.
            </Text>
          )}
        </Card>
      )}
      <CreateKeyDialog opened={isCreating} onClose={close} />
      {rotated && <RotateKeyDialog old={rotated} onClose={() => setRotated(undefined)} />}
    </Page>
  );
}

function KeyTable({ keys, onRotate }: { readonly keys: readonly Key[]; readonly onRotate: (key: Key) => void }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const names = new Map<string, string>(me.products.map(({ prefix, name }) => [prefix, name]));
  return (
    <ScrollTable
      label="API keys"
      minWidth={920}
      columns={[
        'Label',
        'State',
        'Permissions',
        'Created',
        'Last used',
        { title: 'Calls', align: 'right' },
        { title: 'Actions', isHidden: true },
      ]}
    >
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          value={key}
          product={names.get(key.product) ?? key.product}
          canChange={!me.is_view}
          onRotate={onRotate}
        />
      ))}
    </ScrollTable>
  );
}

interface KeyRowProps {
  readonly value: Key;
  readonly product: string;
  /** False while an operator looks at the account. */
  readonly canChange: boolean;
  readonly onRotate: (key: Key) => void;
}

function KeyRow({ value, product, canChange, onRotate }: KeyRowProps) {
  const revoke = useRevokeKey(value.id);
  const state = stateOf(value, useNow());
  return (
    <Table.Tr>
      <NameCell>
        <Text inherit fw={600}>
          {value.label}
        </Text>
        <Text size="sm" c="dimmed">
          {product}
        </Text>
        <Text size="sm" ff="monospace">
          {value.display}
        </Text>
      </NameCell>
      <Table.Td>
        <StateBadge state={state} />
        {value.expires_at !== null && (
          <Text size="sm" c="dimmed">
            {state === 'expired' ? 'expired' : 'expires'} <Ago at={value.expires_at} />
          </Text>
        )}
      </Table.Td>
      <Table.Td fz="sm">{rightsOf(value)}</Table.Td>
      <Table.Td>
        <Ago at={value.created_at} />
      </Table.Td>
      <LastUse value={value} />
      <Table.Td ta="right">{value.calls.toLocaleString('en')}</Table.Td>
      <Table.Td>
        {value.revoked_at === null && canChange && (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onRotate(value)}
              aria-label={`Rotate ${value.label}`}
            >
              Rotate
            </Button>
            <ConfirmButton
              size="compact-sm"
              variant="subtle"
              color="red"
              question={`Revoke “${value.label}”?`}
              consequence="Within a second, every request with this key is refused. You can't undo this. If something still uses the key, rotate it instead."
              verb="Revoke"
              onConfirm={() => revoke.mutateAsync()}
              isPending={revoke.isPending}
              error={revoke.error}
              aria-label={`Revoke ${value.label}`}
            >
              Revoke
            </ConfirmButton>
          </Group>
        )}
        {value.revoked_at !== null && (
          <Text size="sm">
            revoked <Ago at={value.revoked_at} />
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

type KeyState = 'active' | 'expired' | 'revoked';

function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: Key, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

function LastUse({ value: { last_used_at: at, last_used_address: address } }: { readonly value: Key }) {
  return (
    <Table.Td>
      {at === null ? 'never' : <Ago at={at} />}
      {address !== null && (
        <Text c="dimmed" size="sm" className="figures">
          {address}
        </Text>
      )}
    </Table.Td>
  );
}
