import { ActionIcon, Button, CopyButton as MantineCopyButton, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

const SHOW_DONE_MS = 2_000;

interface CopyProps {
  readonly value: string;
  /** What is copied, for those who don't see the icon: `Copy the key`. */
  readonly label: string;
}

/** An icon that copies `value`. */
export function CopyIcon({ value, label }: CopyProps) {
  return (
    <MantineCopyButton value={value} timeout={SHOW_DONE_MS}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color={copied ? 'tide' : 'gray'} onClick={copy} aria-label={label}>
            {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  );
}

/** A button that copies `value`. */
export function CopyButton({ value, label }: CopyProps) {
  return (
    <MantineCopyButton value={value} timeout={SHOW_DONE_MS}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        >
          <span aria-live="polite">{copied ? 'Copied' : label}</span>
        </Button>
      )}
    </MantineCopyButton>
  );
}
