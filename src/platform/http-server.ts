import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { IncomingRequest } from './incoming-request';

/** How long clients may take, and how often the server checks for slow ones. */
interface ClientTimes {
  /** From the connection, or the first byte of a later request, to the end of the headers. */
  readonly headersMs: number;
  /** From there to the end of the body. */
  readonly requestMs: number;
  /** A slow client gets 408 at most this much later. */
  readonly checkEveryMs: number;
}

const CLIENT_TIMES: ClientTimes = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 1_000 };

/** Longer than the idle timeout of common load balancers (60 s), so that they close first. */
const KEEP_ALIVE_MS = 65_000;

/** Half of Node's default: with it, an unauthenticated call holds less than 16 KiB (docs/strangers.md). */
export const MAX_HEADER_BYTES = 8 * 1_024;

/**
 * Twice the number of streams that a process accepts (2,000 of the dashboard, 2,000 of `listen`), so that calls still
 * get a connection.
 */
const MAX_CONNECTIONS = 8_000;

export interface ServerLimits {
  /** The most connections at a time. Further ones are closed without an answer. */
  readonly maxConnections: number;
  /** Called for each connection that was closed because there were too many. */
  readonly onRefused?: () => void;
  /** Only tests change this. */
  readonly times?: ClientTimes;
}

/** An HTTP server that no client can block or fill; it does not listen yet. */
export function createLimitedServer(
  handle: RequestListener<typeof IncomingRequest>,
  { maxConnections, onRefused, times = CLIENT_TIMES }: ServerLimits,
): Server {
  const server = createServer(
    {
      IncomingMessage: IncomingRequest,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: times.checkEveryMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The application answers a missing Host, in its own format.
      requireHostHeader: false,
    },
    handle,
  );
  limitConnections(server, maxConnections, onRefused);
  return server;
}

/**
 * Closes connections beyond the limit. Node's own `maxConnections` does that for a process alone: one of `PROCESSES`
 * would give the connection back to their parent, which offers it to the next one, without end.
 */
function limitConnections(server: Server, maxConnections: number, onRefused?: () => void): void {
  let open = 0;
  server.prependListener('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= maxConnections) return;
    socket.destroy();
    onRefused?.();
  });
}

/** The URL of a server that listens there. An IPv6 address gets its brackets. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The default of the most connections of a process: half of the files that it may open, at most 8,000. The other half
 * is for deliveries and MongoDB.
 */
export function defaultMaxConnections(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(report.userLimits?.open_files?.soft);
  return Math.min(MAX_CONNECTIONS, Number.isFinite(files) ? Math.floor(files / 2) : MAX_CONNECTIONS);
}
