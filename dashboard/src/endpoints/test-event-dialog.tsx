import { Autocomplete, Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { jsonOf, parseObject } from '../elements/json-text';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert, problemOf } from '../elements/problem-alert';
import { describedTypeQuery } from '../event-types/event-type-queries';
import { typeChoices } from '../event-types/known-types';
import { MAX_CHOICES, renderTypeChoice, useKnownTypes } from '../event-types/use-known-types';
import type { useSendTest } from './endpoint-queries';

interface TestEventDialogProps {
  readonly test: ReturnType<typeof useSendTest>;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Sends a test event of a type that the user chooses, with data that the user writes. */
export function TestEventDialog({ test, opened, onClose }: TestEventDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Send a test event" size="lg" centered>
      <TestEventForm test={test} onClose={onClose} />
    </Modal>
  );
}

function TestEventForm({ test, onClose }: Omit<TestEventDialogProps, 'opened'>) {
  const known = useKnownTypes();
  const [type, setType] = useState('');
  // Undefined until the user changes it: then it is the example of whatever type is chosen.
  const [written, setWritten] = useState<string>();
  const [isUnreadable, setIsUnreadable] = useState(false);
  const isDescribed = known.described.some(({ name }) => name === type);
  const { data: described } = useQuery({ ...describedTypeQuery(type), enabled: isDescribed });
  const data = written ?? exampleText(described?.example);
  const submit = onSubmit(() => {
    const read = data.trim() === '' ? undefined : parseObject(data);
    const isWrong = data.trim() !== '' && read === undefined;
    setIsUnreadable(isWrong);
    if (isWrong) return;
    const body = { ...(type.trim() !== '' && { type: type.trim() }), ...(read && { data: read }) };
    test.mutate(body, { onSuccess: onClose });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={test.error} title="The test event was not sent" fields={['type', 'data']} />
        <Autocomplete
          label="Type"
          description="If empty: endpoint.test. The endpoint gets it whatever its patterns are."
          placeholder="endpoint.test"
          data={typeChoices(known.described, known.seen)}
          limit={MAX_CHOICES}
          maxDropdownHeight={300}
          renderOption={renderTypeChoice(known)}
          value={type}
          onChange={setType}
          error={problemOf(test.error, 'type')}
          data-autofocus
        />
        <Textarea
          label="Data"
          description="A JSON object. If empty: the example of the type, or else a message."
          value={data}
          onChange={({ currentTarget }) => setWritten(currentTarget.value)}
          autosize
          minRows={4}
          maxRows={16}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          error={isUnreadable ? 'Enter a JSON object, such as {"order_id": "ord_42"}' : problemOf(test.error, 'data')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={test.isPending}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function exampleText(example: unknown): string {
  return typeof example === 'object' && example !== null ? jsonOf(example) : '';
}
