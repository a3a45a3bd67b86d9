import { PassThrough } from 'node:stream';
import type { HttpContext } from '../http/request-state';
import { createOpenStreams, HEARTBEAT_MS, tooManyStreams } from '../platform/open-streams';
import type { LiveChanges } from './live-changes';

interface LiveStreamDeps {
  readonly live: LiveChanges;
  /** Of users, or of the portal. */
  readonly sessions: { alive(ids: readonly string[]): Promise<Set<string>> };
  /** False as soon as the process is told to stop. */
  readonly isAccepting: () => boolean;
}

interface OpenStream {
  readonly accountId: string;
  readonly sessionId: string;
  readonly body: PassThrough;
  lastWriteAt: number;
}

/** The tabs of a browser share one stream, and two overlap while another tab takes over. More come from a program. */
const MAX_PER_SESSION = 12;
/** As many as five sessions may have. The number of sessions is not limited, so this counts the streams of all. */
const MAX_PER_ACCOUNT = 5 * MAX_PER_SESSION;
/** How soon a stream ends after its session did, or the process was told to stop. */
const CHECK_EVERY_MS = 1_000;
/** An event, and not a comment, which a page can't hear: it notices by it that the server is away. */
const ALIVE = 'event: alive\ndata: {}\n\n';
const READY = `event: ready\ndata: ${JSON.stringify({ heartbeat_seconds: HEARTBEAT_MS / 1_000 })}\n\n`;
/** A browser that stopped reading is disconnected; it reconnects and reloads. */
const MAX_UNREAD_BYTES = 256 * 1024;

export type LiveStreams = ReturnType<typeof createLiveStreams>;

/** Server-sent events to browsers. One timer, with one query a second, serves all streams of the process. */
export function createLiveStreams(deps: LiveStreamDeps) {
  const send = (stream: OpenStream, text: string): void => {
    if (stream.body.writableLength > MAX_UNREAD_BYTES) stream.body.destroy();
    else stream.body.write(text);
    stream.lastWriteAt = performance.now();
  };
  const streams = createOpenStreams<OpenStream>({
    checkEveryMs: CHECK_EVERY_MS,
    isAccepting: deps.isAccepting,
    end: ({ body }) => body.end(),
    async look(open) {
      const ids = [...new Set(open.map(({ sessionId }) => sessionId))];
      // While MongoDB is away it is unknown whether a session is over; no changes are sent meanwhile either.
      const alive = await deps.sessions.alive(ids).catch(() => new Set(ids));
      for (const stream of open) {
        if (!alive.has(stream.sessionId)) stream.body.end('event: end\ndata: {}\n\n');
        else if (performance.now() - stream.lastWriteAt > HEARTBEAT_MS) send(stream, ALIVE);
      }
    },
  });

  return {
    /** Answers with a stream that ends with its session. @throws TooManyRequestsError when there are too many */
    open(ctx: HttpContext, { sessionId, accountId }: Pick<OpenStream, 'sessionId' | 'accountId'>): void {
      requirePlace(streams.all, sessionId, accountId);
      const stream = {
        accountId,
        sessionId,
        body: new PassThrough(),
        lastWriteAt: performance.now(),
      };
      streams.add(stream);
      const unsubscribe = deps.live.subscribe({
        accountId,
        onReady: () => send(stream, READY),
        onChange: (message) => send(stream, `event: change\ndata: ${JSON.stringify(message)}\n\n`),
      });
      const forget = (): void => {
        streams.delete(stream);
        unsubscribe();
      };
      stream.body.once('close', forget);
      ctx.res.once('close', () => stream.body.destroy());
      // Without a listener Koa would report a broken stream as our error.
      stream.body.on('error', forget);
      ctx.type = 'text/event-stream';
      // The connection ends with the stream: an idle one would delay a process that stops.
      ctx.set({ 'X-Accel-Buffering': 'no', Connection: 'close' });
      // Sent at once: the browser then knows that it is connected, and how long to wait before it reconnects.
      stream.body.write('retry: 2000\n\n');
      ctx.body = stream.body;
    },
    close: (): void => streams.close(),
  };
}

/** @throws TooManyRequestsError when the session or the account has as many streams as it may have */
function requirePlace(open: ReadonlySet<OpenStream>, session: string, account: string): void {
  const ofAccount = [...open].filter(({ accountId }) => accountId === account);
  const ofSession = ofAccount.filter(({ sessionId }) => sessionId === session);
  if (ofSession.length >= MAX_PER_SESSION) {
    throw tooManyStreams(`${MAX_PER_SESSION} windows of this browser follow live changes already. Close some.`);
  }
  if (ofAccount.length >= MAX_PER_ACCOUNT) {
    throw tooManyStreams(
      `${MAX_PER_ACCOUNT} windows of this account follow live changes already. Close some, or end sessions.`,
    );
  }
}
