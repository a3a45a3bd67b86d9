import { Code } from '@mantine/core';

interface SecretBlockProps {
  readonly label: string;
  readonly secret: string;
}

/** A secret as a whole, on as many lines as it takes: what is cut off would be copied by hand in part. */
export function SecretBlock({ label, secret }: SecretBlockProps) {
  return (
    <Code
      block
      fz="sm"
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {secret}
    </Code>
  );
}
