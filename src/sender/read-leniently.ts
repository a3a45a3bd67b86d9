/** An answer that Node's parser refused. */
export interface LenientAnswer {
  /** Names and values in turn; a line without a colon is a name without a value. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

const LINE_END = /\r\n|\n|\r/;
const END_OF_HEADERS = /\r\n\r\n|\n\r?\n|\r\r/;
const CHUNK = /^[ \t]*([0-9a-f]{1,8})[^\r\n]*(?:\r\n|\n|\r)/i;

/**
 * Reads headers and body for people who look at the attempt. Never used to decide anything else, nor where the answer
 * ends: the connection of such an answer is closed.
 *
 * @param text the answer from its status line on, one character for each byte
 */
export function readLeniently(text: string): LenientAnswer {
  const end = END_OF_HEADERS.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const rest = end ? text.slice(end.index + end[0].length) : '';
  const rawHeaders: string[] = [];
  for (const line of head.split(LINE_END).slice(1)) {
    const colon = line.indexOf(':');
    // A line that begins with white space continues the value before it (RFC 9112, 5.2).
    if (/^[ \t]/.test(line) && rawHeaders.length > 0) rawHeaders.push(`${rawHeaders.pop()} ${line.trim()}`);
    else if (colon < 0) rawHeaders.push(line.trim(), '');
    else rawHeaders.push(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return { rawHeaders, body: Buffer.from(bodyOf(rest, rawHeaders), 'latin1') };
}

function bodyOf(rest: string, rawHeaders: readonly string[]): string {
  const valueOf = (name: string) => headerOf(rawHeaders, name);
  if (/chunked$/i.test(valueOf('transfer-encoding') ?? '')) return joinChunks(rest);
  const length = valueOf('content-length');
  return length !== undefined && /^\d+$/.test(length) ? rest.slice(0, Number(length)) : rest;
}

function joinChunks(text: string): string {
  let body = '';
  let rest = text;
  for (;;) {
    const chunk = CHUNK.exec(rest);
    // What is not a chunk is shown as it is.
    if (!chunk) return body + rest;
    const size = Number.parseInt(chunk[1]!, 16);
    if (size === 0) return body;
    body += rest.slice(chunk[0].length, chunk[0].length + size);
    rest = rest.slice(chunk[0].length + size).replace(/^\r?\n/, '');
    if (rest === '') return body;
  }
}

/** The first value of a header. @param rawHeaders names and values in turn */
export function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === name) return rawHeaders[at + 1];
  return undefined;
}
