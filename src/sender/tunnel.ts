import { request as httpRequest, type Agent } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { EgressProxy } from '../config';
import { hostnameOf, portOf } from './address-guard';
import { checkIdentity } from './check-identity';
import { isReset, LocalFaultError, TunnelRefusedError } from './classify-failure';
import { ACCEPT } from './user-agent';

/** A request for a tunnel. */
interface TunnelRequest {
  readonly proxy: EgressProxy;
  /** Verifies a proxy with an https: URL. */
  readonly trust: SecureContext;
  /** The receiver's name or address, IPv6 without brackets. The proxy resolves the name. */
  readonly host: string;
  readonly port: number;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Called when the proxy is connected, before the receiver is. */
  readonly onProxyConnected: () => void;
}

/**
 * With a challenge, as RFC 9110 (15.5.8) requires, the credentials are wrong. Smokescreen uses it without one to refuse
 * a destination.
 */
const PROXY_AUTHENTICATION_REQUIRED = 407;

/**
 * Opens a tunnel to a receiver with the proxy's CONNECT method (RFC 9110, 9.3.6), on its own connection.
 *
 * @returns a stream whose other end is the receiver
 * @throws TunnelRefusedError when the proxy was connected but did not open a tunnel. Some proxies hang up if the
 *   receiver can't be reached, so this counts as an attempt; otherwise a dead receiver's deliveries would be retried
 *   forever.
 * @throws LocalFaultError when the proxy can't be used: not reached, no HTTP, wrong credentials. Its message names
 *   neither the proxy nor its credentials.
 */
function openTunnel({ proxy, trust, host, port, signal, onProxyConnected }: TunnelRequest): Promise<Duplex> {
  const { authorization } = proxy;
  const url = new URL(proxy.url);
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
      headers: {
        Host: target,
        Accept: ACCEPT,
        ...(authorization !== undefined && { 'Proxy-Authorization': authorization }),
      },
      agent: false,
      // Node would take the server name from the Host header, which is the receiver's.
      ...(isSecure && {
        secureContext: trust,
        rejectUnauthorized: true,
        checkServerIdentity: checkIdentity,
        servername: isIP(name) ? '' : name,
      }),
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

/** What an exchange adds to its request's options for an agent that tunnels. Node passes them on unchanged. */
export interface TunnelOptions {
  readonly tunnel: Pick<TunnelRequest, 'signal' | 'onProxyConnected'>;
}

interface ConnectionOptions extends TunnelOptions {
  readonly host: string;
  readonly port: number;
}

type OnConnection = (error: Error | null, stream?: Duplex) => void;

/** Documented by Node for agents (`agent.createConnection`), but missing in its types. */
interface Connecting {
  createConnection(options: object, callback?: OnConnection): Duplex | undefined;
}

/**
 * Makes an agent open its connections through a proxy. TLS to the receiver goes through the tunnel, end to end; the
 * agent keeps such connections and resumes their sessions like others.
 */
export function tunnelThrough(agent: Agent, through: { proxy: EgressProxy; trust: SecureContext }): void {
  const connecting = agent as unknown as Connecting;
  const isSecure = agent instanceof HttpsAgent;
  const connect = connecting.createConnection.bind(agent);
  connecting.createConnection = (options, callback) => {
    const { host, port, tunnel } = options as ConnectionOptions;
    openTunnel({ ...through, host, port, ...tunnel })
      // With our socket, Node's own agent only does the rest: TLS with the receiver.
      .then((socket) => (isSecure ? connect({ ...options, socket }) : socket))
      .then(
        (stream) => callback!(null, stream),
        (error: unknown) => callback!(error as Error),
      );
    return undefined;
  };
}
