import { Button, Group, Table, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Key } from '../api/answers';
import { useNow } from '../elements/clock';
import { ConfirmButton } from '../elements/confirm-button';
import { NameCell, ScrollTable } from '../elements/data-table';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { meQuery } from '../session/session-queries';
import { rightsOf, type KeyKind } from './key-kinds';
import { useRevokeKey } from './key-queries';

interface KeyTableProps {
  readonly kind: KeyKind;
  readonly keys: readonly Key[];
  readonly onRotate: (key: Key) => void;
}

/** Keys, with the actions that replace and revoke them. */
export function KeyTable({ kind, keys, onRotate }: KeyTableProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  const names = new Map<string, string>(me.products.map(({ prefix, name }) => [prefix, name]));
  return (
    <ScrollTable
      label={kind.title}
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
          kind={kind}
          value={key}
          product={names.get(key.product)}
          canChange={!me.is_view}
          onRotate={onRotate}
        />
      ))}
    </ScrollTable>
  );
}

interface KeyRowProps {
  readonly kind: KeyKind;
  readonly value: Key;
  /** Its name; undefined for a key that is for no product. */
  readonly product: string | undefined;
  /** False while an operator looks at another account. */
  readonly canChange: boolean;
  readonly onRotate: (key: Key) => void;
}

function KeyRow({ kind, value, product, canChange, onRotate }: KeyRowProps) {
  const revoke = useRevokeKey(kind, value.id);
  const state = stateOf(value, useNow());
  return (
    <Table.Tr>
      <NameCell>
        <Text inherit fw={600}>
          {value.label}
        </Text>
        {product !== undefined && (
          <Text size="sm" c="dimmed">
            {product}
          </Text>
        )}
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
