import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInboxLog, type InboxLog, type SecretsFor } from './inbox-log';
import { INBOX_CSS, INBOX_SECURITY_HEADERS, renderInboxPage } from './inbox-page';
import type { KeyPair } from './certificate';

export type Inbox = Awaited<ReturnType<typeof startInbox>>;

export interface InboxOptions {
  /** Tried first; if it is in use, another port is taken. */
  readonly preferredPort: number;
  readonly certificate: KeyPair;
  readonly secretsFor: SecretsFor;
}

/** A delivered body has at most 256 KiB of data and a little more. */
const MAX_BODY_BYTES = 1024 * 1024;
/** First byte of a TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

/**
 * Starts the inbox on 127.0.0.1: a receiver that shows what it gets. One port serves both: HTTPS for deliveries, and
 * HTTP for browsers.
 *
 * @throws the system's error when no port is available
 */
export async function startInbox(options: InboxOptions) {
  const log = createInboxLog(options.secretsFor);
  const sockets = new Set<Socket>();
  let port = 0;
  const answer =
    (secure: boolean): RequestListener =>
    (request, response) => {
      handle(request, response, { log, secure, port }).catch(() => response.destroy());
    };
  const https = createHttpsServer({ ...options.certificate, minVersion: 'TLSv1.2' }, answer(true));
  const http = createHttpServer(answer(false));
  const front = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null;
      if (!first) return;
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? https : http).emit('connection', socket);
    });
  });
  port = await listenPreferring(front, options.preferredPort);
  return {
    /** The URL to register as an endpoint: HTTPS, with a certificate of this stack. */
    endpointUrl: `https://127.0.0.1:${port}/`,
    /** The URL for a browser: plain HTTP on the same port, so that no browser warns. */
    pageUrl: `http://127.0.0.1:${port}/`,
    port,
    /** The received requests, newest first. */
    requests: log.list,
    close: () =>
      new Promise<void>((resolve) => {
        front.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function listenPreferring(server: Server, preferred: number): Promise<number> {
  try {
    await once(server.listen(preferred, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  return (server.address() as AddressInfo).port;
}

interface Context {
  readonly log: InboxLog;
  readonly secure: boolean;
  readonly port: number;
}

async function handle(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { log, secure, port } = context;
  // A foreign web page that resolves its own name to 127.0.0.1 must not read the requests.
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '')) {
    return send(response, 421, 'text/plain', 'This is the inbox of 127.0.0.1.\n');
  }
  const path = request.url ?? '/';
  if (request.method === 'POST') {
    if (!secure) return send(response, 400, 'text/plain', 'Deliveries come over HTTPS.\n');
    return receive(request, response, path, log);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, POST');
    return send(response, 405, 'text/plain', 'GET shows what came; POST delivers.\n');
  }
  if (path === '/' || path === '/?still') {
    const page = renderInboxPage(`https://127.0.0.1:${port}/`, log.list(), path === '/');
    return send(response, 200, 'text/html', page);
  }
  if (path === '/inbox.css') return send(response, 200, 'text/css', INBOX_CSS);
  if (path === '/requests') return send(response, 200, 'application/json', JSON.stringify(log.list(), null, 2));
  return send(response, 404, 'text/plain', 'Look at / or /requests.\n');
}

async function receive(request: IncomingMessage, response: ServerResponse, path: string, log: InboxLog): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      response.setHeader('Connection', 'close');
      return send(response, 413, 'text/plain', 'At most 1 MiB.\n');
    }
    chunks.push(chunk);
  }
  const status = Number(/^\/status\/([2-5]\d\d)$/.exec(path)?.[1] ?? 200);
  log.add({ path, answered: status, headers: request.headers, body: Buffer.concat(chunks) });
  send(response, status, 'application/json', JSON.stringify({ received: true, status }));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...INBOX_SECURITY_HEADERS, 'Content-Type': `${type}; charset=utf-8` });
  response.end(body);
}
