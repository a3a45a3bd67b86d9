import { Button, Group, Modal, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

interface ConfirmButtonProps extends ButtonProps {
  readonly children: ReactNode;
  /** The question, as the dialog's title. */
  readonly question: string;
  /** What will happen. */
  readonly consequence: ReactNode;
  /** The word on the button that does it: `Revoke`. */
  readonly verb: string;
  /** Does it; the dialog stays open, and says why, when that fails. */
  readonly onConfirm: () => Promise<unknown>;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** A button for what can't be undone: asks before it does anything. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, question, consequence, verb, onConfirm, isPending, error, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const confirm = (): void => {
    // The error is in `error`; the dialog shows it.
    onConfirm().then(close, () => undefined);
  };
  return (
    <>
      <Button {...button} onClick={open}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={question} centered>
        <Stack>
          <Text component="div" size="sm">
            {consequence}
          </Text>
          <ProblemAlert error={error} title="The request failed" />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Go back
            </Button>
            <Button color="red" loading={isPending} onClick={confirm}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
