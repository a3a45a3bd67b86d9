import { Box, Code, Group, Text } from '@mantine/core';
import { CopyIcon } from './copy-button';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, and what the copy button says: `the command`. */
  readonly label: string;
  readonly title?: string;
}

/** Text to be copied, as it is: a command, JSON, an answer. Long ones scroll, by keyboard too. */
export function CodeBlock({ code, label, title }: CodeBlockProps) {
  return (
    <Box ta="start">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyIcon value={code} label={`Copy ${label}`} />
      </Group>
      <Code block mah={420} tabIndex={0} role="region" aria-label={title ?? label} style={{ overflow: 'auto' }}>
        {code}
      </Code>
    </Box>
  );
}
