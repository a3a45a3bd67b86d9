import { Code } from '@mantine/core';
import { Folded } from '../elements/folded';

interface RequestHeadersProps {
  readonly headers: Readonly<Record<string, string>>;
  /** Names the attempt among all of the page. */
  readonly of: string;
}

/** The headers of a request as they were sent. */
export function RequestHeaders({ headers, of }: RequestHeadersProps) {
  const text = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return (
    <Folded title="Request headers as sent">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={`Request headers of ${of}`}
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {text}
      </Code>
    </Folded>
  );
}
