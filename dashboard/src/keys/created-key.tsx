import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { TriangleAlert } from 'lucide-react';
import { CopyButton } from '../elements/copy-button';
import { SecretBlock } from '../elements/secret-block';

interface CreatedKeyProps {
  readonly secret: string;
  readonly doneLabel: string;
  readonly onDone: () => void;
}

/** The full key, the one time it is shown. */
export function CreatedKeyPanel({ secret, doneLabel, onDone }: CreatedKeyProps) {
  const [isStored, setIsStored] = useState(false);
  return (
    <Stack>
      <Alert color="yellow" title="Store this key now" icon={<TriangleAlert size={18} aria-hidden />}>
        It is shown only once. Everpost stores a hash of the key and can't show it again.
      </Alert>
      <SecretBlock label="The new key" secret={secret} />
      <Group>
        <CopyButton value={secret} label="Copy the key" />
        <Text size="sm" c="dimmed">
          Keep it in a password manager or a secret store.
        </Text>
      </Group>
      <Checkbox
        label="I have stored it"
        checked={isStored}
        onChange={({ currentTarget }) => setIsStored(currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          {doneLabel}
        </Button>
      </Group>
    </Stack>
  );
}
