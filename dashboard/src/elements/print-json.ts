/** A string, a bracket or separator, or the text of a number or literal; what is between them is white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
/** Data may nest 256 levels deep. Without an end of the indentation, 250 KB of it would become 60 MB. */
const MAX_INDENTS = 32;

/**
 * JSON made readable by white space alone: numbers, names, order and spelling stay as they were sent.
 *
 * One pass over the text, in time and memory in proportion to its length.
 *
 * @param text JSON that a parser has accepted
 */
export function printJson(text: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const isClose = token === '}' || token === ']';
    if (isClose) depth -= 1;
    if (startsLine(previous, isClose)) pieces.push('\n', '  '.repeat(Math.min(depth, MAX_INDENTS)));
    pieces.push(token);
    if (token === ':') pieces.push(' ');
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return pieces.join('');
}

/** Empty objects and lists stay on one line. */
function startsLine(previous: string, isClose: boolean): boolean {
  const isFirst = previous === '{' || previous === '[';
  return isClose ? !isFirst && previous !== '' : isFirst || previous === ',';
}
