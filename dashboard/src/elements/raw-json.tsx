import { useMemo } from 'react';
import { CodeBlock } from './code-block';
import { printJson } from './print-json';

interface RawJsonProps {
  readonly text: string;
  readonly title: string;
  readonly label: string;
}

/** JSON made readable by white space alone: numbers, order and spelling stay as they were sent. */
export function RawJson({ text, title, label }: RawJsonProps) {
  const code = useMemo(() => printJson(text), [text]);
  return <CodeBlock code={code} title={title} label={label} />;
}
