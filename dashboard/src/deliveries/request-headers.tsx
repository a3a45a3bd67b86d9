import { Code } from '@mantine/core';
import { Folded } from '../elements/folded';

/** The headers of a request as they were sent; nothing where they are not known. */
export function RequestHeaders({ headers }: { readonly headers: Readonly<Record<string, string>> | null }) {
  if (headers === null) return null;
  const text = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return (
    <Folded title="Request headers as sent">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label="Request headers"
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {text}
      </Code>
    </Folded>
  );
}
