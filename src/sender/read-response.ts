import type { IncomingMessage } from 'node:http';

/** How much of a response is read before the connection is closed: enough for every honest receiver's answer. */
export const MAX_READ_BYTES = 16 * 1024;

/** How much of it is kept, for people who look at a failed attempt. */
export const SNIPPET_BYTES = 1024;

/** Control characters, which can control terminals and break some databases and viewers; tabs and line ends stay. */
export const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/**
 * Reads the beginning of a response's body and keeps the first 1 KiB as text. Never rejects: for a body that trickles,
 * breaks off or doesn't end it returns what has arrived. A response that is read to its end returns its connection to
 * the pool. Any other closes it, because the rest would have to be read first.
 *
 * @param signal ends the reading at the deadline of the attempt
 * @param maxWaitMs ends it earlier
 */
export function readSnippet(response: IncomingMessage, signal: AbortSignal, maxWaitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let size = 0;
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      if (!response.complete) response.destroy();
      resolve(toSnippet(Buffer.concat(kept)));
    };
    const timer = setTimeout(finish, maxWaitMs);
    signal.addEventListener('abort', finish);
    response.on('data', (chunk: Buffer) => {
      if (size < SNIPPET_BYTES) kept.push(chunk.subarray(0, SNIPPET_BYTES - size));
      size += chunk.length;
      if (size > MAX_READ_BYTES) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
    response.on('close', finish);
  });
}

/** Bytes as text that can be stored and shown: lossy UTF-8, without a cut character at the end. */
function toSnippet(bytes: Buffer): string {
  // In streaming mode the decoder holds back an unfinished last character.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replace(CONTROL_CHARACTERS, '\uFFFD');
}
