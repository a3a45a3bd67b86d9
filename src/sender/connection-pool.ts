import { X509Certificate } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

export interface ConnectionPoolDeps {
  /** Certificates (PEM, several in one text are fine) that are trusted beside the usual roots. */
  readonly extraCaPem: readonly string[];
  readonly maxConnectionsPerDestination: number;
}

/** Connections to destinations. */
export interface ConnectionPool {
  /** @param fresh never one that was used before */
  agentFor(protocol: string, fresh: boolean): HttpAgent;
  /** Drops all connections. */
  close(): void;
}

/** Idle connections are kept this long, or as long as the receiver's Keep-Alive header says if that is shorter. */
const IDLE_TIMEOUT_MS = 30_000;

/** Idle connections over all destinations; the one that was idle for longest goes first. */
const MAX_IDLE_CONNECTIONS = 256;

/** A busy connection is renewed after this time, so that a name that moved to another address is followed. */
const MAX_CONNECTION_AGE_MS = 300_000;

/**
 * Makes the pool of keep-alive connections, one set for each destination's host and port.
 *
 * A pooled connection stays with the address that was checked when it was opened.
 */
export function createConnectionPool({ extraCaPem, maxConnectionsPerDestination }: ConnectionPoolDeps): ConnectionPool {
  const tls = { secureContext: createTrust(extraCaPem), rejectUnauthorized: true };
  const kept = {
    keepAlive: true,
    maxSockets: maxConnectionsPerDestination,
    maxFreeSockets: maxConnectionsPerDestination,
    timeout: IDLE_TIMEOUT_MS,
  };
  const fresh = { keepAlive: false, maxSockets: maxConnectionsPerDestination };
  const agents = {
    https: { kept: new HttpsAgent({ ...kept, ...tls }), fresh: new HttpsAgent({ ...fresh, ...tls }) },
    http: { kept: new HttpAgent(kept), fresh: new HttpAgent(fresh) },
  };
  const idle = new Set<Duplex>();
  boundIdleConnections(agents.https.kept, idle);
  boundIdleConnections(agents.http.kept, idle);

  return {
    agentFor(protocol, wantsFresh) {
      const pair = protocol === 'https:' ? agents.https : agents.http;
      return wantsFresh ? pair.fresh : pair.kept;
    },
    close() {
      for (const { kept: used, fresh: unused } of Object.values(agents)) {
        used.destroy();
        unused.destroy();
      }
    },
  };
}

/**
 * The certificates that are trusted, parsed once: parsing them takes 19 ms, which would be paid by every connection.
 * Verification is never off: `rejectUnauthorized` beside it outranks NODE_TLS_REJECT_UNAUTHORIZED.
 *
 * @throws Error naming a certificate that can't be read, which OpenSSL would pass over in silence
 */
function createTrust(extraCaPem: readonly string[]): SecureContext {
  for (const pem of extraCaPem) new X509Certificate(pem);
  return createSecureContext({ ca: [...rootCertificates, ...extraCaPem], minVersion: 'TLSv1.2' });
}

/** Uses the two hooks that Node documents for agents to bound what is idle over all destinations. */
function boundIdleConnections(agent: HttpAgent, idle: Set<Duplex>): void {
  const openedAt = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);

  agent.keepSocketAlive = (socket): boolean => {
    const opened = openedAt.get(socket);
    if (opened === undefined) {
      openedAt.set(socket, performance.now());
      socket.once('close', () => idle.delete(socket));
    } else if (performance.now() - opened > MAX_CONNECTION_AGE_MS) {
      return false;
    }
    keep(socket);
    idle.add(socket);
    const [oldest] = idle;
    if (oldest && idle.size > MAX_IDLE_CONNECTIONS) {
      idle.delete(oldest);
      oldest.destroy();
    }
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket);
    reuse(socket, request);
  };
}
