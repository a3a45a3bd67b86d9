/**
 * Characters that change how other text is shown: control characters other than tab and newline, which a terminal obeys,
 * and those that turn the direction of what follows (Unicode, UAX 9: embeddings, overrides, isolates).
 */
const HIDDEN = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069`;

/** Matches a text that is shown as it is written. Valid in JSON Schema too. */
export const PLAIN_TEXT = new RegExp(`^[^${HIDDEN}]*$`, 'u');

/** The same for a text of one line that is not empty. */
export const PLAIN_LINE = new RegExp(`^[^\\t\\n${HIDDEN}]+$`, 'u');

/** What is wrong with a text that `PLAIN_TEXT` does not match, to follow the name of a field. */
export const NOT_PLAIN =
  'must not contain control characters, or characters that change the direction of text such as U+202E';

/**
 * A text that is safe to print on a terminal, whoever wrote it: each hidden character becomes an escape as in JSON, so JSON
 * stays the same value.
 */
export function printable(text: string): string {
  return text.replaceAll(
    new RegExp(`[${HIDDEN}]`, 'gu'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
