import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { EgressProxy } from '../config';
import { checkIdentity } from './check-identity';
import { tunnelThrough } from './tunnel';

export interface ConnectionPoolDeps {
  /** Certificates (PEM, several in one text are fine) that are trusted in addition to the default roots. */
  readonly extraCaPem: readonly string[];
  /** The egress proxy; without one, connections go directly to the receivers. */
  readonly proxy?: EgressProxy | undefined;
  /** Idle connections over all destinations; the one idle for longest is closed first. */
  readonly maxIdleConnections?: number;
  /** A busy connection is renewed after this time, so that a name that moved to another address is followed. */
  readonly maxConnectionAgeMs?: number;
}

/** Idle connections are kept this long, or as long as the receiver's Keep-Alive header says if that is shorter. */
const IDLE_TIMEOUT_MS = 30_000;

const DEFAULT_MAX_IDLE_CONNECTIONS = 256;
const DEFAULT_MAX_CONNECTION_AGE_MS = 300_000;

export type ConnectionPool = ReturnType<typeof createConnectionPool>;

/**
 * Makes the pool of keep-alive connections, one set for each destination's host and port.
 *
 * It gives every request a connection at once. Endpoints of many tenants may share a host and port, so with a limit
 * here one tenant would wait for another; `EndpointLoad` limits what each endpoint has under way.
 *
 * A pooled connection stays with the address that was checked when it was opened.
 */
export function createConnectionPool(deps: ConnectionPoolDeps) {
  const tls = {
    secureContext: createTrust(deps.extraCaPem),
    rejectUnauthorized: true,
    checkServerIdentity: checkIdentity,
  };
  const maxIdle = deps.maxIdleConnections ?? DEFAULT_MAX_IDLE_CONNECTIONS;
  // Node's agents don't limit connections in use by default.
  const kept = { keepAlive: true, maxFreeSockets: maxIdle, timeout: IDLE_TIMEOUT_MS };
  const fresh = { keepAlive: false };
  const agents = {
    https: { kept: new HttpsAgent({ ...kept, ...tls }), fresh: new HttpsAgent({ ...fresh, ...tls }) },
    http: { kept: new HttpAgent(kept), fresh: new HttpAgent(fresh) },
  };
  const bounds = {
    idle: new Set<Duplex>(),
    maxIdle,
    maxAgeMs: deps.maxConnectionAgeMs ?? DEFAULT_MAX_CONNECTION_AGE_MS,
  };
  if (deps.proxy) {
    const through = { proxy: deps.proxy, trust: tls.secureContext };
    for (const { kept: used, fresh: unused } of Object.values(agents)) {
      tunnelThrough(used, through);
      tunnelThrough(unused, through);
    }
  }
  boundIdleConnections(agents.https.kept, bounds);
  boundIdleConnections(agents.http.kept, bounds);

  return {
    /** @param fresh never one that was used before */
    agentFor(protocol: string, wantsFresh: boolean): HttpAgent {
      const pair = protocol === 'https:' ? agents.https : agents.http;
      return wantsFresh ? pair.fresh : pair.kept;
    },
    /** Closes all connections. */
    close(): void {
      for (const { kept: used, fresh: unused } of Object.values(agents)) {
        used.destroy();
        unused.destroy();
      }
    },
  };
}

/**
 * The trusted certificates, parsed once: parsing takes 19 ms, which every connection would otherwise pay. Verification
 * is never off: `rejectUnauthorized` next to it overrides NODE_TLS_REJECT_UNAUTHORIZED.
 */
function createTrust(extraCaPem: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...rootCertificates, ...extraCaPem], minVersion: 'TLSv1.2' });
}

/** Uses the two hooks that Node documents for agents to limit idle connections over all destinations. */
function boundIdleConnections(
  agent: HttpAgent,
  bounds: { idle: Set<Duplex>; maxIdle: number; maxAgeMs: number },
): void {
  const { idle, maxIdle, maxAgeMs } = bounds;
  const firstKeptAt = new WeakMap<Duplex, number>();
  // Typed as void, but documented to return false for a connection that must not be kept.
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  const reuse = agent.reuseSocket.bind(agent);

  agent.keepSocketAlive = (socket): boolean => {
    const firstKept = firstKeptAt.get(socket);
    if (firstKept === undefined) {
      firstKeptAt.set(socket, performance.now());
      socket.once('close', () => idle.delete(socket));
    } else if (performance.now() - firstKept > maxAgeMs) {
      return false;
    }
    if (!keep(socket)) return false;
    socket.once('data', dropTalkative);
    idle.add(socket);
    const [longestIdle] = idle;
    if (longestIdle && idle.size > maxIdle) {
      idle.delete(longestIdle);
      longestIdle.destroy();
    }
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket);
    socket.off('data', dropTalkative);
    reuse(socket, request);
  };
}

/** Bytes on an idle connection answer no request (mostly a proxy's 408). The next request must not read them. */
function dropTalkative(this: Duplex): void {
  this.destroy();
}
