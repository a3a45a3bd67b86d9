import { Box, Code, Group, Text } from '@mantine/core';
import { CopyIcon } from './copy-button';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, and what the copy button says: `the command`. */
  readonly label: string;
  readonly title?: string;
  /** What it belongs to, when the page has several of its kind: screen readers tell them apart by it. */
  readonly of?: string;
  /** Long lines go on in the next one instead of scrolling sideways. */
  readonly wraps?: boolean;
}

/** Text to be copied, as it is: a command, JSON, an answer. Long ones scroll, by keyboard too. */
export function CodeBlock({ code, label, title, of, wraps = false }: CodeBlockProps) {
  const whose = of === undefined ? '' : ` of ${of}`;
  return (
    <Box ta="start">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyIcon value={code} label={`Copy ${label}${whose}`} />
      </Group>
      <Code
        block
        mah={420}
        tabIndex={0}
        role="region"
        aria-label={`${title ?? label}${whose}`}
        style={{ overflow: 'auto', ...(wraps && { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }) }}
      >
        {code}
      </Code>
    </Box>
  );
}
