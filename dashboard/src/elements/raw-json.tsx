import { useMemo } from 'react';
import { CodeBlock } from './code-block';
import { printJson } from './print-json';

interface RawJsonProps {
  readonly text: string;
  readonly title: string;
  readonly label: string;
  /** What it belongs to, when the page has several of its kind. */
  readonly of?: string;
}

/** JSON made readable by white space alone: numbers, order and spelling stay as they were sent. */
export function RawJson({ text, ...block }: RawJsonProps) {
  const code = useMemo(() => printJson(text), [text]);
  return <CodeBlock code={code} {...block} />;
}
