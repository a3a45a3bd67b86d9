import { Code } from '@mantine/core';

interface SecretBlockProps {
  readonly label: string;
  readonly secret: string;
}

/**
 * A secret as a whole, on as many lines as it takes: what is cut off would be copied by hand in part. It gets the focus of
 * the form that made it.
 */
export function SecretBlock({ label, secret }: SecretBlockProps) {
  return (
    <Code
      block
      fz="sm"
      tabIndex={0}
      data-autofocus
      role="region"
      aria-label={label}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {secret}
    </Code>
  );
}
