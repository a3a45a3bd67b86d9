import { once } from 'node:events';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { ErrorCode } from '../domain/error-codes';
import { createLimitedServer, MAX_HEADER_BYTES, urlOf, type ServerLimits } from '../platform/http-server';
import { newId } from '../platform/ids';
import type { IncomingRequest } from '../platform/incoming-request';
import { SMALL_BODY_BYTES } from './read-body';
import type { RequestState } from './request-state';

/** A listening API. */
export type HttpServer = Awaited<ReturnType<typeof listen>>;

const DRAIN_MS = 10_000;

/**
 * Connections that wait to be accepted. The system caps this at its own limit (`net.core.somaxconn` of Linux). When the
 * queue is full, clients are left waiting or reset, instead of served or refused.
 */
const MAX_BACKLOG = 65_535;

/** Headers of an answer to a request that could not be read: only the peer's address is known. */
type HeadersFor = (peer: Socket) => Readonly<Record<string, string>>;

/**
 * Listens.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) when the port is not available
 */
export async function listen(
  app: Koa<RequestState>,
  { host, port, ...limits }: ServerLimits & { readonly host: string; readonly port: number },
  headersFor: HeadersFor,
) {
  const respond = app.callback();
  const latest = new WeakMap<Duplex, ServerResponse>();
  const ending = createEnding();
  const answer = (request: IncomingRequest, response: ServerResponse): void => {
    const { socket } = request;
    // A streamed answer has a dozen listeners of ours, Koa's and Node's, which is not a leak.
    response.setMaxListeners(20);
    // A connection would keep its last request in memory, while it is idle or sends the rest of a refused body.
    response.once('close', () => {
      if (!request.complete) request.forgetHeaders();
      else if (latest.get(socket) === response) latest.delete(socket);
    });
    void respond(request, response);
  };
  const handle = (request: IncomingRequest, response: ServerResponse): void => {
    if (!ending.takes(response)) return;
    latest.set(request.socket, response);
    if (!request.hasBody()) return answer(request, response);
    // A small body arrives before the application holds anything for the call. A route reads a larger one.
    const leave = (): void => undefined;
    void request.receive(SMALL_BODY_BYTES).then(() => answer(request, response), leave);
  };
  // RFC 9110, 10.1.1: the client asks whether to send its body. Whoever refuses the call by its headers does not read it;
  // Node then closes the connection after the answer.
  const handleExpecting = (request: IncomingRequest, response: ServerResponse): void => {
    if (!request.hasBody()) return handle(request, response);
    latest.set(request.socket, response);
    request.inviteBefore(() => response.writeContinue());
    answer(request, response);
  };
  const server = createLimitedServer(handle, limits);
  server.on('checkContinue', handleExpecting);
  // Unknown expectations are ignored, as RFC 9110 allows; Node would answer without a body.
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) =>
    answerMalformed(error, { socket, headers: headersFor(socket as Socket) }, latest.get(socket)),
  );
  server.on('connect', (_request, socket) =>
    sendError({ socket, headers: headersFor(socket as Socket) }, MALFORMED_REQUEST),
  );
  await once(server.listen({ port, host, backlog: MAX_BACKLOG }), 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: urlOf(host, actualPort),
    /** Stops accepting and resolves when requests under way are answered. Each of these answers ends its connection. */
    close: () => ending.close(server),
  };
}

/**
 * Ends a server without cutting an answer. Once it ends, each answer says `Connection: close`: a proxy with kept
 * connections would otherwise send calls until they are cut.
 */
function createEnding() {
  const underWay = new Map<Duplex, ServerResponse>();
  let closing: Server | undefined;
  const endConnection = (response: ServerResponse): void => {
    // Changes nothing for an answer whose head was sent.
    response.shouldKeepAlive = false;
  };
  return {
    /**
     * Notes a request that has just arrived.
     *
     * @returns false for one that was sent behind another, whose answer ends the connection (RFC 9112, 9.6)
     */
    takes(response: ServerResponse): boolean {
      const { socket } = response.req;
      const before = underWay.get(socket);
      if (closing && before && !before.shouldKeepAlive) return false;
      if (closing) endConnection(response);
      underWay.set(socket, response);
      response.once('close', () => {
        if (underWay.get(socket) === response) underWay.delete(socket);
        // The head of its answer may have been sent before the server was told to stop.
        if (closing) setImmediate(() => closing?.closeIdleConnections());
      });
      return true;
    },
    close(server: Server): Promise<void> {
      closing = server;
      for (const response of underWay.values()) endConnection(response);
      return new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        // It also closes the connections that are idle now.
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

/** The answer to a request that can't be parsed. */
interface Malformation {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const MALFORMED_REQUEST: Malformation = {
  status: 400,
  code: 'malformed_request',
  message: 'This is not a valid HTTP request.',
};

const INCOMPLETE_BODY: Malformation = {
  status: 400,
  code: 'incomplete_body',
  message: 'The body ended before it was complete.',
};

/** By the code of Node's parser. */
const MALFORMED: Record<string, Malformation> = {
  HPE_INVALID_URL: {
    ...MALFORMED_REQUEST,
    message: 'The address of the request is not valid: percent-encode every character that is not ASCII.',
  },
  HPE_INVALID_METHOD: { ...MALFORMED_REQUEST, message: 'The method of the request is unknown.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message: `The request headers are larger than ${MAX_HEADER_BYTES / 1_024} KiB.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },
};

/** The sender, and the headers of every answer to it. */
interface Peer {
  readonly socket: Duplex;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Bytes that are not HTTP never reach the application; they get errors in the same format.
 *
 * @param latest the answer to the last request on the socket that started correctly
 */
function answerMalformed(error: NodeJS.ErrnoException, peer: Peer, latest: ServerResponse | undefined): void {
  const { socket, headers } = peer;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const malformation = MALFORMED[error.code ?? ''] ?? MALFORMED_REQUEST;
  if (!latest || (latest.writableFinished && latest.req.complete)) {
    sendError(peer, malformation);
  } else if (!latest.req.complete && !latest.headersSent) {
    // The body was malformed: this is the answer to its request. It keeps the limit headers set so far; the others
    // (Content-Length, Location, …) may belong to an answer that was about to be sent.
    for (const name of latest.getHeaderNames()) if (!name.startsWith('x-')) latest.removeHeader(name);
    const requestId = String(latest.getHeader('X-Request-Id') ?? newId('req'));
    const answer = error.code === 'HPE_INVALID_EOF_STATE' ? INCOMPLETE_BODY : malformation;
    const body = bodyOf(answer, requestId);
    const isCounted = latest.hasHeader('X-RateLimit-Limit');
    const added = Object.entries(headers).filter(([name]) => !isCounted || !name.startsWith('X-'));
    latest.writeHead(answer.status, STATUS_CODES[answer.status], {
      ...Object.fromEntries(added),
      'Content-Type': JSON_TYPE,
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      Connection: 'close',
    });
    latest.end(body);
  } else if (latest.writableFinished) {
    socket.destroy();
  } else {
    // An answer is being sent: anything written now would become part of it.
    latest.once('finish', () => socket.end());
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

function bodyOf({ message, code }: Malformation, requestId: string): string {
  return JSON.stringify({ error: message, code, request_id: requestId });
}

/** Answers on a bare socket, and closes it. */
function sendError({ socket, headers }: Peer, malformation: Malformation): void {
  const requestId = newId('req');
  const body = bodyOf(malformation, requestId);
  socket.end(
    `HTTP/1.1 ${malformation.status} ${STATUS_CODES[malformation.status]}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `${Object.entries({ ...headers, 'X-Request-Id': requestId })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
