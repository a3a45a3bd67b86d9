import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { matchesEventType } from '../domain/event-pattern';
import type { AccountStore } from '../accounts/account-store';
import type { KeyStore } from '../keys/key-store';
import type { Logger } from '../platform/logger';
import { createOpenStreams, HEARTBEAT_MS, tooManyStreams } from '../platform/open-streams';
import { composeBody } from '../sender/signature';
import type { EventFeed, Step } from './event-feed';
import type { Positions } from './positions';
import type { ListenedEventView } from './schema';
import { PositionLostError, type ListenedEvent, type ListenStore } from './listen-store';

/** What the streams need. */
interface ListenStreamsDeps {
  readonly listening: Pick<ListenStore, 'between' | 'find'>;
  readonly feed: EventFeed;
  readonly keys: Pick<KeyStore, 'statesOf'>;
  readonly accounts: Pick<AccountStore, 'activeAmong'>;
  readonly positions: Positions;
  /** False as soon as the process is told to stop. */
  readonly isAccepting: () => boolean;
  readonly logger: Logger;
}

/** The account that listens, its patterns, and the position. */
export interface Listener {
  readonly accountId: string;
  readonly keyId: string;
  readonly patterns: readonly string[];
  /** `id` of the last event of the previous stream, if there was one. */
  readonly lastEventId: string | undefined;
}

interface OpenStream extends Listener {
  readonly output: PassThrough;
  readonly closing: AbortController;
  lastWriteAt: number;
  /** Whether the client has got its position. */
  hasBegun: boolean;
}

const MAX_PER_ACCOUNT = 5;
/** How soon a stream ends after its key was revoked or expired, or the process was told to stop. */
const CHECK_EVERY_MS = 500;
/** How long a client waits before it reconnects. */
const RETRY_MS = 1_000;

export type ListenStreams = ReturnType<typeof createListenStreams>;

/**
 * Server-sent events for accepted events. One timer, with one query to the database each time, serves all streams of
 * the process.
 */
export function createListenStreams(deps: ListenStreamsDeps) {
  const streams = createOpenStreams<OpenStream>({
    checkEveryMs: CHECK_EVERY_MS,
    isAccepting: deps.isAccepting,
    end: ({ output }) => output.end(),
    async look(open) {
      const known = await Promise.all([
        deps.keys.statesOf(open.map(({ keyId }) => keyId)),
        deps.accounts.activeAmong(open.map(({ accountId }) => accountId)),
      ]).catch(() => undefined);
      // While MongoDB is away the state of a key is unknown; no events are sent meanwhile either.
      if (!known) return;
      const [states, active] = known;
      for (const { keyId, accountId, output } of open) {
        const ofKey = states.get(keyId) ?? 'revoked';
        const state = ofKey === 'active' && !active.has(accountId) ? 'suspended' : ofKey;
        if (state !== 'active') output.end(`event: end\ndata: ${JSON.stringify({ reason: WHY_IT_ENDS[state] })}\n\n`);
      }
    },
  });

  return {
    /**
     * A stream that ends when the key is revoked or expires, when the process stops, or when MongoDB is away while the
     * stream must catch up. The client then reconnects with the last id it has.
     *
     * @throws TooManyRequestsError when the account has the maximum number of streams
     */
    open(listener: Listener): PassThrough {
      const own = [...streams.all].filter(({ accountId }) => accountId === listener.accountId);
      if (own.length >= MAX_PER_ACCOUNT) {
        throw tooManyStreams(`This account has ${MAX_PER_ACCOUNT} streams open already. Close one first.`);
      }
      const stream: OpenStream = {
        ...listener,
        output: new PassThrough(),
        closing: new AbortController(),
        lastWriteAt: performance.now(),
        hasBegun: false,
      };
      streams.add(stream);
      const forget = (): void => {
        streams.delete(stream);
        stream.closing.abort();
      };
      stream.output.once('close', forget);
      stream.output.on('end', forget);
      stream.output.on('error', forget);
      stream.output.write(`retry: ${RETRY_MS}\n\n`);
      void run(deps, stream).catch((error: unknown) => {
        deps.logger.info({ err: error, account_id: listener.accountId }, 'a stream of events ended');
        stream.output.end();
      });
      return stream.output;
    },
    async close(): Promise<void> {
      streams.close();
      await deps.feed.close();
    },
  };
}

const WHY_IT_ENDS = {
  revoked: 'the API key was revoked',
  expired: 'the API key expired',
  suspended: 'the account was suspended',
} as const;

/** Sends the events after the client's last id, and then new ones. */
async function run(deps: ListenStreamsDeps, stream: OpenStream): Promise<void> {
  const { signal } = stream.closing;
  const { accountId, lastEventId } = stream;
  let position = lastEventId === undefined ? undefined : deps.positions.read(lastEventId, accountId);
  while (!signal.aborted) {
    const tail = deps.feed.follow(stream.accountId);
    const close = (): void => tail.close();
    signal.addEventListener('abort', close);
    try {
      let isBegin = true;
      for await (const step of tail.steps) {
        if (isBegin && position !== undefined) position = await catchUp(deps, stream, position, step.position);
        isBegin = false;
        // The client may be ahead of this process's watch: after using another process, or after catching up.
        const isTold = position !== undefined && step.position <= position;
        if (!isTold) ({ position } = step);
        else if (step.event) continue;
        await tell(deps, stream, { event: step.event, position: position! });
      }
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }
}

/** @returns the position that the client has reached; undefined if the events after it are unknown */
async function catchUp(
  deps: ListenStreamsDeps,
  stream: OpenStream,
  from: string,
  until: string,
): Promise<string | undefined> {
  try {
    const missed = deps.listening.between(stream.accountId, from, until, stream.closing.signal);
    let reached = from;
    for await (const step of missed) {
      await tell(deps, stream, step);
      reached = step.position;
    }
    return reached;
  } catch (error) {
    if (!(error instanceof PositionLostError)) throw error;
    // It resumes from now, and reports the gap.
    await write(stream, 'event: gap\ndata: {"reason":"events between the last one and now may be missing"}\n\n');
    stream.hasBegun = false;
    return undefined;
  }
}

async function tell(
  { listening, positions }: ListenStreamsDeps,
  stream: OpenStream,
  { event, position }: Step,
): Promise<void> {
  const isWanted = event && stream.patterns.some((pattern) => matchesEventType(pattern, event.type));
  const found = isWanted ? await listening.find(event.id) : null;
  const id = (): string => positions.show(position, stream.accountId);
  if (found) {
    await write(stream, `id: ${id()}\nevent: event\ndata: ${JSON.stringify(toldOf(found))}\n\n`);
  } else if (!stream.hasBegun || performance.now() - stream.lastWriteAt > HEARTBEAT_MS) {
    // Also sent at the start: from this position on, nothing is missed.
    await write(stream, `id: ${id()}\nevent: position\ndata: {}\n\n`);
  }
  stream.hasBegun = true;
}

/** As JSON text, because a body may contain line ends, which an event stream would change. */
function toldOf({ _id: id, type, data, timestamp }: ListenedEvent): ListenedEventView {
  const body = composeBody({ id, type, data: Buffer.from(data.value()), timestamp }).toString('utf8');
  return { id, type, timestamp, body };
}

/** Waits for a slow client: the database keeps what the client has not read yet. */
async function write(stream: OpenStream, text: string): Promise<void> {
  const { output, closing } = stream;
  if (output.writableEnded || output.destroyed) return;
  stream.lastWriteAt = performance.now();
  if (!output.write(text)) await once(output, 'drain', { signal: closing.signal });
}
