import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../api/answers';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { meQuery } from '../session/session-queries';
import { ExpiryField, ScopeField } from './key-limit-fields';
import type { KeyKind } from './key-kinds';
import { FOR_EVER, lifetimeOf } from './key-limits';
import type { CreateKey } from './key-queries';

interface CreateKeyFormProps {
  readonly kind: KeyKind;
  /** The key that the new one is to replace: its product is fixed, the rest is proposed. */
  readonly replaced?: Key;
  /** Belongs to the dialog, which must not close while a key is being created. */
  readonly create: CreateKey;
  readonly onCancel: () => void;
}

/** Product, if the kind has one, label, scopes and expiry of a new key. */
export function CreateKeyForm({ kind, replaced, create, onCancel }: CreateKeyFormProps) {
  const { data: me } = useQuery(meQuery);
  const [product, setProduct] = useState<string>(replaced?.product ?? 'weh');
  const [scopes, setScopes] = useState<string[]>([...(replaced?.scopes ?? kind.scopes)]);
  const proposed = replaced ? lifetimeOf(replaced) : FOR_EVER;
  const [expiresIn, setExpiresIn] = useState(proposed);
  const hasScopes = !kind.hasProducts || product === 'weh';
  const submit = onSubmit((typed) =>
    create.mutate({
      ...(kind.hasProducts && { product }),
      label: typed('label'),
      // Left out for all scopes, which includes those of a later version.
      ...(hasScopes && scopes.length < kind.scopes.length && { scopes }),
      ...(expiresIn !== FOR_EVER && { expires_in: expiresIn }),
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={create.error} title="The key was not created" fields={['label']} />
        {kind.hasProducts && (
          <Select
            label="Product"
            description="A key works for one product. You can't change this later."
            data={(me?.products ?? []).map(({ prefix, name }) => ({ value: prefix, label: name }))}
            value={product}
            onChange={(value) => setProduct(value ?? product)}
            allowDeselect={false}
            disabled={replaced !== undefined}
          />
        )}
        <TextInput
          label="Label"
          name="label"
          description="Where you use the key, for example production, staging or CI."
          defaultValue={replaced?.label}
          maxLength={100}
          required
          data-autofocus
          error={problemOf(create.error, 'label')}
        />
        {hasScopes && <ScopeField kind={kind} chosen={scopes} onChange={setScopes} />}
        <ExpiryField proposed={proposed} chosen={expiresIn} onChange={setExpiresIn} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={hasScopes && scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
