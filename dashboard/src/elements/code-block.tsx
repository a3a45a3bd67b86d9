import { Box, Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyIcon } from './copy-button';
import { visibleText } from './visible-text';
import { withUnit } from './with-unit';

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

/** Longer texts are folded: a browser takes long to lay out hundreds of KB, and a page has many such texts. */
const FOLDED_LENGTH = 32 * 1_024;

/**
 * Text to be copied, as it is: a command, JSON, an answer. Long ones scroll, by keyboard too; of very long ones, only the
 * start is shown at first. What a browser would not show stands there as an escape. A copy is always whole and exact.
 */
export function CodeBlock({ code, label, title, of, wraps = false }: CodeBlockProps) {
  const [isWhole, setIsWhole] = useState(false);
  const whose = of === undefined ? '' : ` of ${of}`;
  const isLong = code.length > FOLDED_LENGTH;
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
        {visibleText(isLong && !isWhole ? startOf(code) : code)}
      </Code>
      {isLong && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt={4}
          onClick={() => setIsWhole(!isWhole)}
          aria-label={`${isWhole ? 'Show less' : `Show all ${sizeOf(code)}`} of ${label}${whose}`}
        >
          {isWhole ? 'Show less' : `Show all ${sizeOf(code)}`}
        </Button>
      )}
    </Box>
  );
}

/** Its first lines, or a part of its only one. */
function startOf(code: string): string {
  const end = code.lastIndexOf('\n', FOLDED_LENGTH);
  return code.slice(0, end > 0 ? end : FOLDED_LENGTH);
}

function sizeOf(code: string): string {
  return withUnit(Math.ceil(code.length / 1_024), 'KB');
}
