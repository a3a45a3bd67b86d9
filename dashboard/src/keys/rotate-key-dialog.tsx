import { Alert, Button, Group, Modal, Stack, Stepper, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../api/answers';
import { ScrollTable } from '../elements/data-table';
import { ProblemAlert } from '../elements/problem-alert';
import { Ago } from '../elements/time';
import { CreateKeyForm } from './create-key-form';
import { CreatedKeyPanel } from './created-key';
import type { KeyKind } from './key-kinds';
import { keysQuery, useCreateKey, useRevokeKey } from './key-queries';

const LOOK_MS = 3_000;

interface RotateKeyDialogProps {
  readonly kind: KeyKind;
  readonly old: Key;
  readonly onClose: () => void;
}

/**
 * Replaces a key without downtime: create the new one, deploy it, watch the traffic move, revoke the old one. It stays
 * open from the request until the new key is stored. After that it may be closed: both keys work until the old one is
 * revoked.
 */
export function RotateKeyDialog({ kind, old, onClose }: RotateKeyDialogProps) {
  const create = useCreateKey(kind);
  const [isStored, setIsStored] = useState(false);
  const step = !create.isSuccess ? 0 : isStored ? 2 : 1;
  const staysOpen = create.isPending || step === 1;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Rotate “${old.label}”`}
      centered
      size="xl"
      closeOnClickOutside={false}
      closeOnEscape={!staysOpen}
      withCloseButton={!staysOpen}
    >
      <Stepper active={step} size="sm" mb="lg" wrap>
        <Stepper.Step label="Create" description="a new key" />
        <Stepper.Step label="Store" description="and deploy it" />
        <Stepper.Step label="Switch" description="then revoke the old one" />
      </Stepper>
      {!create.isSuccess && <CreateKeyForm kind={kind} replaced={old} create={create} onCancel={onClose} />}
      {create.isSuccess && !isStored && (
        <CreatedKeyPanel
          secret={create.data.key}
          doneLabel="Next: watch the traffic"
          onDone={() => setIsStored(true)}
        />
      )}
      {create.isSuccess && isStored && <SwitchStep kind={kind} old={old} replacement={create.data} onClose={onClose} />}
    </Modal>
  );
}

interface SwitchStepProps extends RotateKeyDialogProps {
  readonly replacement: Key;
}

function SwitchStep({ kind, old, replacement, onClose }: SwitchStepProps) {
  const { data } = useQuery(keysQuery(kind, LOOK_MS));
  const revoke = useRevokeKey(kind, old.id);
  const now = (key: Key): Key => data?.keys.find(({ id }) => id === key.id) ?? key;
  const [before, after] = [now(old), now(replacement)];
  const hasMoved = after.calls > 0 && (before.last_used_at ?? '') < (after.last_used_at ?? '');
  return (
    <Stack>
      <Text size="sm">
        Deploy the new key. Both keys work until you revoke the old one. This table updates live, some seconds behind
        the traffic.
      </Text>
      <ScrollTable
        label="Traffic of both keys"
        minWidth={420}
        columns={['Key', 'Last used', { title: 'Calls', align: 'right' }]}
      >
        <TrafficRow name="Old" value={before} />
        <TrafficRow name="New" value={after} />
      </ScrollTable>
      <div aria-live="polite">
        {hasMoved ? (
          <Alert color="tide" icon={<CircleCheck size={18} aria-hidden />} title="The new key is in use">
            The last call used the new key. Revoke the old key once nothing uses it any more.
          </Alert>
        ) : (
          <Text c="dimmed" size="sm">
            Waiting for the first call with the new key…
          </Text>
        )}
      </div>
      <ProblemAlert error={revoke.error} title="The old key was not revoked" />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Later
        </Button>
        <Button
          color={hasMoved ? 'red' : 'gray'}
          variant={hasMoved ? 'filled' : 'light'}
          loading={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: onClose })}
        >
          {hasMoved ? 'Revoke the old key' : 'Revoke the old key anyway'}
        </Button>
      </Group>
    </Stack>
  );
}

function TrafficRow({ name, value }: { readonly name: string; readonly value: Key }) {
  return (
    <Table.Tr>
      <Table.Td>
        {name}{' '}
        <Text span ff="monospace" size="sm" c="dimmed">
          {value.display}
        </Text>
      </Table.Td>
      <Table.Td>{value.last_used_at === null ? 'never' : <Ago at={value.last_used_at} />}</Table.Td>
      <Table.Td ta="right">{value.calls.toLocaleString('en')}</Table.Td>
    </Table.Tr>
  );
}
