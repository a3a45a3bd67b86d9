import { request as httpRequest, type Agent } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { EgressProxy } from '../config';
import { hostnameOf, portOf } from './address-guard';
import { isReset, LocalFaultError, TunnelRefusedError } from './classify-failure';

/** A tunnel that somebody wants. */
interface TunnelRequest {
  readonly proxy: EgressProxy;
  /** What a proxy with an https: URL is verified by. */
  readonly trust: SecureContext;
  /** The receiver's name or address, IPv6 without brackets. The proxy looks the name up. */
  readonly host: string;
  readonly port: number;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Told when the proxy is connected, and the receiver not yet. */
  readonly onProxyConnected: () => void;
}

/** With a challenge, as RFC 9110 (15.5.8) wants it, the credentials are wrong. Smokescreen refuses destinations with it, without one. */
const PROXY_AUTHENTICATION_REQUIRED = 407;

/**
 * Opens a tunnel to a receiver by the proxy's CONNECT method (RFC 9110, 9.3.6), on a connection of its own.
 *
 * @returns a stream whose other end is the receiver
 * @throws TunnelRefusedError when the proxy was connected and did not open one. Some proxies hang up where the receiver
 *   can't be reached, so that counts, or a dead receiver's deliveries would be tried for ever.
 * @throws LocalFaultError when the proxy can't be used: not reached, no HTTP, wrong credentials. Its words name neither
 *   the proxy nor its credentials.
 */
function openTunnel({ proxy, trust, host, port, signal, onProxyConnected }: TunnelRequest): Promise<Duplex> {
  const { url, authorization } = proxy;
  const name = hostnameOf(url);
  const isSecure = url.protocol === 'https:';
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const request = (isSecure ? httpsRequest : httpRequest)({
      method: 'CONNECT',
      host: name,
      port: portOf(url),
      path: target,
      headers: { Host: target, ...(authorization !== undefined && { 'Proxy-Authorization': authorization }) },
      agent: false,
      // Node would take the server's name from the header Host, which is the receiver's.
      ...(isSecure && { secureContext: trust, rejectUnauthorized: true, servername: isIP(name) ? '' : name }),
      signal,
    });
    request.once('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        onProxyConnected();
      }),
    );
    request.once('connect', ({ statusCode = 0, headers: answered }, socket, head) => {
      if (statusCode >= 200 && statusCode <= 299) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      const isOurs = statusCode === PROXY_AUTHENTICATION_REQUIRED && 'proxy-authenticate' in answered;
      reject(isOurs ? proxyFault('it refused the credentials (407)') : new TunnelRefusedError(statusCode));
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(isConnected && isReset(error) ? new TunnelRefusedError() : proxyFault(error.code ?? error.name)),
    );
    request.end();
  });
}

function proxyFault(reason: string): LocalFaultError {
  return new LocalFaultError(`the egress proxy (DELIVERY_PROXY) can't be used: ${reason}`);
}

/** What an exchange adds to its request's options, for an agent that tunnels. Node hands them on as they are. */
export interface TunnelOptions {
  readonly tunnel: Pick<TunnelRequest, 'signal' | 'onProxyConnected'>;
}

interface ConnectionOptions extends TunnelOptions {
  readonly host: string;
  readonly port: number;
}

type OnConnection = (error: Error | null, stream?: Duplex) => void;

/** What Node documents for agents (`agent.createConnection`), and its types leave out. */
interface Connecting {
  createConnection(options: object, callback?: OnConnection): Duplex | undefined;
}

/**
 * Has an agent open its connections through a proxy. TLS to the receiver goes through the tunnel, from end to end; the
 * agent keeps such connections, and resumes their sessions, like others.
 */
export function tunnelThrough(agent: Agent, through: { proxy: EgressProxy; trust: SecureContext }): void {
  const connecting = agent as unknown as Connecting;
  const isSecure = agent instanceof HttpsAgent;
  const connect = connecting.createConnection.bind(agent);
  connecting.createConnection = (options, callback) => {
    const { host, port, tunnel } = options as ConnectionOptions;
    openTunnel({ ...through, host, port, ...tunnel })
      // With a socket of ours Node's own agent only does the rest: TLS with the receiver.
      .then((socket) => (isSecure ? connect({ ...options, socket }) : socket))
      .then(
        (stream) => callback!(null, stream),
        (error: unknown) => callback!(error as Error),
      );
    return undefined;
  };
}
