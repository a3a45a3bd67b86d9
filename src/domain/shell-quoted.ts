/** A text as one word of a POSIX shell: in single quotes a shell reads everything but the quote itself as it stands. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
