import { applyEdits, format } from 'jsonc-parser';
import { CodeBlock } from './code-block';

interface RawJsonProps {
  readonly text: string;
  readonly title: string;
  readonly label: string;
}

/** JSON made readable by white space alone: numbers, order and spelling stay as they were sent. */
export function RawJson({ text, title, label }: RawJsonProps) {
  const edits = format(text, undefined, { insertSpaces: true, tabSize: 2 });
  return <CodeBlock code={applyEdits(text, edits)} title={title} label={label} />;
}
