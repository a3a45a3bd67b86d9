import { createServer as createHttpsServer } from 'node:https';
import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { AddressPolicy } from '../../src/config';
import {
  createHttpSender,
  type HttpSender,
  type HttpSenderDeps,
  type SendRequest,
  type SendResult,
} from '../../src/sender/http-sender';
import type { Received } from '../../src/sender/read-response';
import type { HostResolver } from '../../src/sender/resolve-destination';
import { useFixture } from '../support/fixture';
import { buildAuthority, buildServerCertificate, type Certificate } from './certificates';

/** A real server on loopback that plays a destination. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** Connections accepted so far (TCP, before any handshake). */
  connections(): number;
  close(): Promise<void>;
}

/** Any server as a receiver that counts its connections and can be closed at once. */
export async function listen(server: Server | HttpServer, scheme = 'https', host = '127.0.0.1'): Promise<Receiver> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hook`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** A result with the rest of the answer. */
export type WholeResult = SendResult & Nullable<Received>;
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** A sender that waits until the answer was read. */
export interface PatientSender extends Pick<HttpSender, 'close'> {
  send(request: SendRequest): Promise<WholeResult>;
  /** As soon as the status is there. */
  sendForStatus: HttpSender['send'];
}

const NOTHING = { rawHeaders: null, retryAfter: null, snippet: null, isCut: null, warning: null, bodyMs: null };

function patiently({ send, close }: HttpSender): PatientSender {
  return {
    close,
    sendForStatus: send,
    async send(request) {
      const result = await send(request);
      return { ...result, ...NOTHING, ...(result.reading && (await result.reading.ended)) };
    },
  };
}

/** Everything a test of the sender opens, closed together. */
export interface Testbed {
  readonly authority: Certificate;
  readonly certificate: Certificate;
  /** An HTTPS server that speaks HTTP by itself. */
  https(onRequest: RequestListener, tls?: TlsOptions, host?: string): Promise<Receiver>;
  /** A TLS server whose answers are written byte by byte; called once for each complete request. */
  raw(onRequest: (socket: Socket, request: string, number: number) => void, tls?: TlsOptions): Promise<Receiver>;
  /** A TCP server without TLS. */
  tcp(onConnection: (socket: Socket) => void): Promise<Receiver>;
  /** An HTTPS server that answers 200 with `ok`. */
  okay(tls?: TlsOptions, delayMs?: number): Promise<Receiver>;
  sender(deps?: Partial<HttpSenderDeps>): PatientSender;
  /** Sends one request with a new sender. */
  send(url: string, deps?: Partial<HttpSenderDeps>): Promise<WholeResult>;
  closeAll(): Promise<void>;
}

/** Loopback as a stand-in for the public Internet, on any port. */
export const LOOPBACK_POLICY: AddressPolicy = {
  allowHttp: false,
  denyCidrs: [],
  allowCidrs: ['127.0.0.0/8', '::1/128'],
  allowPorts: [{ from: 1, to: 65_535 }],
  allowTargets: [],
};

/** A resolver for `receiver.test` and every other name, without a network. */
export function buildResolver(
  ipv4: readonly string[],
  ipv6: readonly string[] = [],
): HostResolver & { lookups: number } {
  const answer = async (addresses: readonly string[]) => {
    if (addresses.length === 0) throw Object.assign(new Error('no data'), { code: 'ENODATA' });
    return [...addresses];
  };
  return {
    lookups: 0,
    resolve4() {
      this.lookups += 1;
      return answer(ipv4);
    },
    resolve6: () => answer(ipv6),
  };
}

/** The receiver's URL with a name instead of the address. */
export function named({ port }: Receiver, host = 'receiver.test'): string {
  return `https://${host}:${port}/hook`;
}

export const BODY = Buffer.from('{"id":1,"type":"order.created","data":{"n":1.0},"timestamp":1700000000}');

/** A POST to the URL. */
export function buildRequest(url: string): SendRequest {
  return { url, headers: { 'Content-Type': 'application/json', 'X-Webhook-ID': '1' }, body: BODY };
}

/** Opens the testbed: an authority, a certificate, and a way to close what is opened on it. */
export async function openTestbed(): Promise<Testbed> {
  const authority = await buildAuthority();
  const certificate = await buildServerCertificate({ authority });
  const opened: { close(): Promise<void> }[] = [];
  const keep = async (receiver: Promise<Receiver>) => {
    opened.push(await receiver);
    return receiver;
  };
  const https = (onRequest: RequestListener, tls: TlsOptions = {}, host?: string) =>
    keep(listen(createHttpsServer({ ...certificate, ...tls }, onRequest), 'https', host));
  const sender = (deps: Partial<HttpSenderDeps> = {}) => {
    const made = createHttpSender({ policy: LOOPBACK_POLICY, timeoutMs: 5_000, extraCaPem: [authority.cert], ...deps });
    opened.unshift(made);
    return patiently(made);
  };
  return {
    authority,
    certificate,
    https,
    okay: (tls, delayMs = 0) => https((_request, response) => setTimeout(() => response.end('ok'), delayMs), tls),
    raw: (onRequest, tls = {}) =>
      keep(listen(createTlsServer({ ...certificate, ...tls }, (socket) => readRequests(socket, onRequest)))),
    tcp: (onConnection) => keep(listen(createTcpServer(onConnection))),
    sender,
    send: (url, deps) => sender(deps).send(buildRequest(url)),
    async closeAll() {
      for (const { close } of opened.splice(0)) await close();
    },
  };
}

/** Gives the tests of a file a testbed, on which each begins with nothing open. */
export function useSenderTestbed(): Testbed {
  const testbed = useFixture('file', openTestbed, (it) => it.closeAll());
  afterEach(() => testbed.closeAll());
  return testbed;
}

/** Calls back for each complete request (headers and Content-Length bytes) on a connection. */
function readRequests(socket: Socket, onRequest: (socket: Socket, request: string, number: number) => void): void {
  let bytes = '';
  let number = 0;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.toString('latin1');
    for (;;) {
      const headEnd = bytes.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(bytes)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (headEnd < 0 || bytes.length < end) return;
      number += 1;
      const request = bytes.slice(0, end);
      bytes = bytes.slice(end);
      onRequest(socket, request, number);
    }
  });
}
