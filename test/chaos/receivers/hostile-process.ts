// Receivers that misbehave, in a separate process. Each kind listens on its own ports.

import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { answerParent } from '../cluster/child';
import { HOSTILE_HOST, type HostileKind, type HostileMessage, type HostileReport } from './hostile';

const EVERY_MS = 200;
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const HEADER_LINE = `X-Endless: ${'x'.repeat(1_000)}\r\n`;
const INTERIM = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50);

const report: HostileReport = { requests: {}, longestMs: {} };

/** Writes as fast as it is taken, until the connection is gone. */
function pour(socket: Socket, piece: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, bytes: string): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(bytes[at % bytes.length]!);
    at += 1;
  }, EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/** What each kind does once it has read a request. The kinds that differ in TLS answer as any receiver would. */
const ACTS: Readonly<Record<HostileKind, (socket: Socket) => void>> = {
  hang: () => undefined,
  'drip-bytes': (socket) => drip(socket, `HTTP/1.1 200 OK\r\nX-Drip: ${'x'.repeat(10_000)}`),
  'endless-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, HEADER_LINE);
  },
  'endless-body': (socket) => {
    socket.write('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n');
    pour(socket, `2000\r\n${'x'.repeat(0x2000)}\r\n`);
  },
  reset: (socket) => socket.resetAndDestroy(),
  garbage: (socket) => socket.end(randomBytes(4_096)),
  'wrong-tls': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  'expired-tls': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  'huge-header': (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(1024 * 1024)}\r\n\r\n`),
  'redirect-loop': (socket) => {
    const { localPort } = socket;
    socket.end(
      `HTTP/1.1 302 Found\r\nLocation: https://${HOSTILE_HOST}:${localPort}/hook\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
  },
  'interim-flood': (socket) => pour(socket, INTERIM),
  'compression-bomb': (socket) => {
    socket.write(`HTTP/1.1 500 No\r\nContent-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`);
    socket.end(BOMB);
  },
};

function serve(kind: HostileKind, tls: TlsOptions): Promise<number> {
  const onSocket = (socket: Socket): void => {
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      if (head.includes('\r\n\r\n')) return;
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      report.requests[kind] = (report.requests[kind] ?? 0) + 1;
      ACTS[kind](socket);
    });
  };
  // Only a plain socket can be reset in the middle of a request.
  const server = kind === 'reset' ? createServer(onSocket) : createTlsServer(tls, onSocket);
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    const openedAt = performance.now();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      report.longestMs[kind] = Math.max(report.longestMs[kind] ?? 0, performance.now() - openedAt);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, HOSTILE_HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

answerParent(async (message: HostileMessage) => {
  if (message.kind === 'report') return report;
  const { certificates, each } = message;
  const ports: Partial<Record<HostileKind, number[]>> = {};
  for (const kind of Object.keys(ACTS) as HostileKind[]) {
    const tls = certificates[kind === 'wrong-tls' || kind === 'expired-tls' ? kind : 'honest'];
    ports[kind] = await Promise.all(Array.from({ length: each }, () => serve(kind, tls)));
  }
  return { ports };
});
