import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, Send } from 'lucide-react';
import { lazyDialog } from '../elements/lazy-dialog';
import type { useSendTest } from './endpoint-queries';

const TestEventDialog = lazyDialog(() => import('./test-event-dialog'), 'TestEventDialog');

/** Sends a test event at once, or one of a chosen type. */
export function TestButton({ test }: { readonly test: ReturnType<typeof useSendTest> }) {
  const [isChoosing, { open, close }] = useDisclosure(false);
  return (
    <Button.Group>
      <Button
        variant="default"
        leftSection={<Send size={15} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test event
      </Button>
      <Button variant="default" px="xs" aria-label="Choose the type of the test event" onClick={open}>
        <ChevronDown size={15} aria-hidden />
      </Button>
      <TestEventDialog test={test} opened={isChoosing} onClose={close} />
    </Button.Group>
  );
}
