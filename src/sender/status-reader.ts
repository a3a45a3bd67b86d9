import { ProtocolError } from './classify-failure';

/** The most bytes of a response's headers; Node's own parser gets the same limit. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** How much of a response's body is read before the connection is closed: enough for every honest receiver's answer. */
export const MAX_READ_BYTES = 16 * 1024;

/** The most of an answer that is kept, from its status line on. */
const MAX_KEPT_BYTES = MAX_HEADER_BYTES + MAX_READ_BYTES;

/** Interim (1xx) answers before the real one; honest servers send one or two. */
const MAX_INTERIM_ANSWERS = 32;

/** RFC 9112, 4. The reason is optional, and white space is read like the space that it replaces. */
const STATUS = /^HTTP\/\d\.\d[ \t]+(\d{3})(?=[ \t\r\n])/;
/** Empty lines before a message are skipped (RFC 9112, 2.2). */
const EMPTY_LINES = /^[\r\n]+/;
const END_OF_HEADERS = /\r?\n\r?\n/;

/**
 * Finds the final status in the bytes of a connection, whatever follows it. Node's parser gives a status only together
 * with complete and correct headers, but the status alone decides an attempt.
 */
export function createStatusReader() {
  /** One character for each byte, from the beginning of the last answer on. */
  let text = '';
  let interimAnswers = 0;
  let status: number | undefined;

  const findStatus = (): void => {
    for (;;) {
      text = text.replace(EMPTY_LINES, '');
      const found = STATUS.exec(text)?.[1];
      if (found === undefined) return;
      if (!isInterim(Number(found))) {
        status = Number(found);
        return;
      }
      const end = END_OF_HEADERS.exec(text);
      if (!end) return;
      text = text.slice(end.index + end[0].length);
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS)
        throw new ProtocolError('The receiver sent too many interim (1xx) answers.');
    }
  };

  return {
    /**
     * Reads on.
     *
     * @returns the final status as soon as it is there
     * @throws ProtocolError for an answer that is not final and never will be
     */
    read(bytes: Buffer): number | undefined {
      if (text.length >= MAX_KEPT_BYTES) return status;
      text += bytes.toString('latin1');
      if (status === undefined) findStatus();
      // Only now: one piece may hold more than that of interim answers, and the final one behind them.
      text = text.slice(0, MAX_KEPT_BYTES);
      return status;
    },
    /** The final answer as it was received: one character for each byte. */
    received: () => text,
  };
}

/** @throws ProtocolError for 101 and for numbers that are no status of HTTP, which Node treats as final answers */
function isInterim(status: number): boolean {
  if (status >= 200) return false;
  if (status === 101)
    throw new ProtocolError('The receiver answered 101 (Switching Protocols), which was not asked for.');
  if (status < 100) throw new ProtocolError(`The receiver answered ${status}, which is not a final status of HTTP.`);
  return true;
}
