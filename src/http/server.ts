import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { newId } from '../platform/ids';
import type { RequestState } from './request-state';

/** A listening API. */
export interface HttpServer {
  readonly url: string;
  /** Stops accepting and resolves when requests under way are answered. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of usual load balancers (60 s), so that they close first. */
const KEEP_ALIVE_MS = 65_000;
const DRAIN_MS = 10_000;

/**
 * Listens.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) when the port can't be had
 */
export async function listen(app: Koa<RequestState>, host: string, port: number): Promise<HttpServer> {
  const handle = app.callback();
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handle(request, response);
  });
  server.on('clientError', answerMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${actualPort}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const MALFORMED: Record<string, [status: number, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

/** What is not even HTTP never reaches the application; it gets the same form of error. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code, message] = MALFORMED[error.code ?? ''] ?? [400, 'malformed_request', 'This is not a valid HTTP request.'];
  const requestId = newId('req');
  const body = JSON.stringify({ error: message, code, request_id: requestId });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
