import type { IncomingMessage } from 'node:http';
import { headerOf, readLeniently } from './read-leniently';
import { snippetOf, SNIPPET_BYTES } from './snippet';
import { MAX_READ_BYTES } from './status-reader';

/**
 * How long the rest of an answer is read after its status. The status decides; the rest is only shown, and not worth a
 * longer wait.
 */
const REST_WAIT_MS = 2_000;

/** What was received after a status. */
export interface Received {
  /** Names and values of the headers in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** The `Retry-After`, as received; `null` without one. */
  readonly retryAfter: string | null;
  /** The beginning of the body as text. */
  readonly snippet: string;
  /** Whether the body is longer than the snippet. */
  readonly isCut: boolean;
  /** What is odd about the answer, in words for the destination's owner; `null` if nothing is. */
  readonly warning: string | null;
  /** From the status until the reading ended, in milliseconds; `null` while it goes on. */
  readonly bodyMs: number | null;
}

/** The reading of an answer, beside everything that its status decides. */
export interface Reading {
  /** What has arrived so far. */
  soFar(): Received;
  /** Everything that will be read. Never rejects. */
  readonly ended: Promise<Received>;
  /** Ends the reading now. */
  stop(): void;
}

/** The part of a reading that the exchange calls. */
export interface ReadingEvents {
  readonly reading: Reading;
  /** The headers are complete. */
  onHeaders(response: IncomingMessage): void;
  /** The connection broke, or Node's parser refused the answer. */
  onError(error: unknown): void;
  /** The connection is closed. */
  onClose(): void;
}

/**
 * Reads headers and the first 16 KiB of a body, for two seconds at most. An answer that is read to its end returns its
 * connection to the pool. Any other closes it, because the rest would have to be read first.
 *
 * @param received the answer so far as it came over the connection, one character for each byte: it is read leniently
 *   if Node's parser refuses it
 * @param close closes the connection
 */
export function beginReading(received: () => string, close: () => void): ReadingEvents {
  const beganAt = performance.now();
  const kept: Buffer[] = [];
  let size = 0;
  let response: IncomingMessage | undefined;
  let error: unknown;
  let late = false;
  let result: Received | undefined;
  let settle: (received: Received) => void;
  const ended = new Promise<Received>((resolve) => (settle = resolve));

  const read = (): Omit<Received, 'warning' | 'bodyMs'> => {
    const { rawHeaders, body } = response
      ? { rawHeaders: response.rawHeaders, body: Buffer.concat(kept) }
      : readLeniently(received());
    const retryAfter = headerOf(rawHeaders, 'retry-after') ?? null;
    const isCut = Math.max(size, body.length) > SNIPPET_BYTES;
    return { rawHeaders, retryAfter, snippet: snippetOf(body, rawHeaders), isCut };
  };
  const finish = (): void => {
    if (result) return;
    clearTimeout(timer);
    const warning = describe({ error, late, hasHeaders: response !== undefined });
    result = { ...read(), warning, bodyMs: Math.round(performance.now() - beganAt) };
    if (!response?.complete) close();
    settle(result);
  };
  const timer = setTimeout(() => {
    late = true;
    finish();
  }, REST_WAIT_MS);

  return {
    reading: { soFar: () => result ?? { ...read(), warning: null, bodyMs: null }, ended, stop: finish },
    onHeaders(arrived) {
      response = arrived;
      response.on('data', (chunk: Buffer) => {
        if (size < SNIPPET_BYTES) kept.push(chunk.subarray(0, SNIPPET_BYTES - size));
        size += chunk.length;
        if (size > MAX_READ_BYTES) finish();
      });
      response.on('error', (reason) => (error ??= reason));
      response.on('end', finish);
      response.on('close', finish);
    },
    onError(reason) {
      error ??= reason;
      // With headers, what has already arrived of the body comes before the response's own end.
      if (!response) finish();
    },
    onClose() {
      if (response) return;
      error ??= new Error('closed');
      finish();
    },
  };
}

function describe({ error, late, hasHeaders }: { error: unknown; late: boolean; hasHeaders: boolean }): string | null {
  const part = hasHeaders ? 'body' : 'headers';
  const { code, reason } = (error ?? {}) as { code?: string; reason?: string };
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers of the answer are larger than 16 KiB.';
  if (code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE')
    return `The rest of the answer is not valid HTTP/1.1 (${reason ?? code}).`;
  if (late) return `The ${part} of the answer did not end within ${REST_WAIT_MS / 1_000} s.`;
  return error === undefined ? null : `The connection broke before the ${part} of the answer ended.`;
}
