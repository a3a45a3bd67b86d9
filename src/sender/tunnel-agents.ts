import type { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { EgressProxy } from '../config';
import { openTunnel, type TunnelRequest } from './tunnel';

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
