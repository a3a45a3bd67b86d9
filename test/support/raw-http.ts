import { connect, type Socket } from 'node:net';

/** An answer as received. Header names are in lower case; a repeated header is joined by commas. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface RawRequest {
  /** The exact bytes to send. */
  readonly bytes: string | Uint8Array;
  /** Whether it is a HEAD request: its answer has no body, whatever its headers say. */
  readonly isHead?: boolean;
  /** Closes our side of the connection after the bytes, so that a server does not wait for more. */
  readonly end?: boolean;
  /** Closes our side if no answer arrives in that time: for bytes that may be half a request or a whole one. */
  readonly endAfterMs?: number;
  /** Reads all answers until the server closes; otherwise only the first one. */
  readonly untilClose?: boolean;
}

/** A connection that can send anything, HTTP or not. It reconnects when the server has closed it. */
export interface RawConnection {
  /**
   * Sends bytes and reads the answers.
   *
   * @throws Error when the answer is not HTTP, or none arrived in time
   */
  send(request: RawRequest): Promise<RawAnswer[]>;
  close(): void;
}

const ANSWER_TIMEOUT_MS = 60_000;

export function buildRawConnection(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  const open = (): Socket => {
    if (socket && !socket.destroyed && socket.writable && !socket.readableEnded) return socket;
    socket?.destroy();
    socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
    // Between two exchanges there is no other listener.
    socket.on('error', () => undefined);
    return socket;
  };
  return {
    send: (request) => exchange(open(), request),
    close: () => socket?.destroy(),
  };
}

function exchange(
  socket: Socket,
  { bytes, isHead = false, end = false, endAfterMs, untilClose = end }: RawRequest,
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      clearTimeout(endTimer);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      finish();
    };
    const settleWith = (closed: boolean): void => {
      try {
        const answers = parseAnswers(received, { closed, isHead });
        if (!closed && (untilClose || answers.length === 0)) return;
        if (closed) socket.destroy();
        // The server says that it will close: don't race it with another request.
        if (answers.at(-1)?.headers.get('connection')?.toLowerCase() === 'close') socket.end();
        settle(() => resolve(answers));
      } catch (error) {
        socket.destroy();
        settle(() => reject(new Error(String(error))));
      }
    };
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      if (!untilClose) settleWith(false);
    };
    const onEnd = (): void => settleWith(true);
    // A server resets the connection after the answer to get rid of a client that still sends.
    const onError = (): void => settleWith(true);
    const timer = setTimeout(() => {
      socket.destroy();
      settle(() =>
        reject(new Error(`no answer in ${ANSWER_TIMEOUT_MS} ms; so far: ${received.toString('latin1').slice(0, 500)}`)),
      );
    }, ANSWER_TIMEOUT_MS);
    const endTimer = endAfterMs === undefined ? undefined : setTimeout(() => socket.end(), endAfterMs);
    socket.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onError);
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

/**
 * The complete answers in the received bytes. Informational ones (1xx) are left out.
 *
 * @throws Error for bytes that are not HTTP, or for half an answer at the end of the connection
 */
function parseAnswers(received: Buffer, options: { closed: boolean; isHead: boolean }): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return halfAnswer(answers, rest, options.closed);
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(statusLine)?.[1]);
    if (!status) throw new Error(`not an answer: ${statusLine.slice(0, 200)}`);
    const headers = parseHeaders(lines);
    const after = rest.subarray(headEnd + 4);
    if (status < 200) {
      rest = after;
      continue;
    }
    const hasBody = !options.isHead && status !== 204 && status !== 304;
    const body = hasBody ? readBody(after, headers, options.closed) : { bytes: Buffer.alloc(0), length: 0 };
    if (!body) return halfAnswer(answers, rest, options.closed);
    answers.push({ status, headers, text: body.bytes.toString('utf8') });
    rest = after.subarray(body.length);
  }
  return answers;
}

function halfAnswer(answers: RawAnswer[], rest: Buffer, closed: boolean): RawAnswer[] {
  if (closed) throw new Error(`half an answer: ${rest.toString('latin1').slice(0, 500)}`);
  return answers;
}

function parseHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return headers;
}

/** The body and how many bytes it took; undefined when it is not complete. */
function readBody(
  after: Buffer,
  headers: Map<string, string>,
  closed: boolean,
): { bytes: Buffer; length: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(after);
  const length = headers.get('content-length');
  if (length === undefined) return closed ? { bytes: after, length: after.length } : undefined;
  if (after.length < Number(length)) return undefined;
  return { bytes: after.subarray(0, Number(length)), length: Number(length) };
}

function readChunks(after: Buffer): { bytes: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = after.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(after.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size;
    if (after.length < end + 2) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), length: end + 2 };
    chunks.push(after.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

/** Formats a request exactly as given, and adds only a missing `Host`. */
export function formatRequest(request: {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}): Uint8Array {
  const headers = Object.entries({ Host: 'localhost', ...request.headers });
  const head = [
    `${request.method} ${request.path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from(request.body ?? '')]);
}
