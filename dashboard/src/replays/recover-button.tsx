import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { ProblemAlert } from '../elements/problem-alert';
import { timeBefore } from '../elements/time';
import { useRecover } from './replay-queries';
import { SPANS } from './spans';

/** After an outage of a receiver: sends everything again that failed for good since then. */
export function RecoverButton({ endpointId }: { readonly endpointId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [span, setSpan] = useState('24');
  const recover = useRecover(endpointId);
  const navigate = useNavigate();
  const start = (): void =>
    recover.mutate(timeBefore(Number(span)), { onSuccess: () => void navigate({ to: '/dashboard/replays' }) });
  return (
    <>
      <Button variant="default" leftSection={<LifeBuoy size={16} aria-hidden />} onClick={open}>
        Recover
      </Button>
      <Modal opened={isOpen} onClose={close} title="Send failed deliveries again" centered>
        <Stack>
          <Text size="sm">
            Every delivery to this endpoint that failed in this period is sent again, with all its attempts.
          </Text>
          <Select
            label="Failed in"
            data={SPANS}
            value={span}
            onChange={(value) => setSpan(value ?? span)}
            allowDeselect={false}
            data-autofocus
          />
          <ProblemAlert error={recover.error} title="The replay was not started" />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={recover.isPending} onClick={start}>
              Send again
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
