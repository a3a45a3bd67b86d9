import { TooManyRequestsError } from '../domain/errors';

/** Shorter than the time after which proxies close a silent connection (nginx: 60 s). */
export const HEARTBEAT_MS = 15_000;
/** The most streams of a kind in one process: far fewer than its connections, so that calls still get one. */
const MAX_STREAMS = 2_000;

/**
 * Tracks open SSE streams, and checks all of them periodically while there are any: one timer serves the whole process.
 * Ends them once the process is told to stop.
 *
 * @param look gets the streams that were open when it started. A stream opened while it waits for a database was not
 *   part of the query, and must not be judged
 */
export function createOpenStreams<Stream>(deps: {
  checkEveryMs: number;
  isAccepting: () => boolean;
  look: (streams: readonly Stream[]) => Promise<void>;
  end: (stream: Stream) => void;
}) {
  const all = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  const endAll = (): void => {
    for (const stream of all) deps.end(stream);
  };
  const look = async (): Promise<void> => {
    if (deps.isAccepting()) await deps.look([...all]);
    else endAll();
  };
  const checkLater = (): void => {
    timer ??= setTimeout(() => {
      void look().finally(() => {
        timer = undefined;
        if (all.size > 0) checkLater();
      });
    }, deps.checkEveryMs).unref();
  };
  return {
    all: all as ReadonlySet<Stream>,
    /** @throws TooManyRequestsError when the process has as many as it may have */
    add(stream: Stream): void {
      if (all.size >= MAX_STREAMS) throw tooManyStreams('This server has no room for another stream. Try again later.');
      all.add(stream);
      checkLater();
    },
    delete: (stream: Stream) => void all.delete(stream),
    /** Ends all of them. */
    close(): void {
      clearTimeout(timer);
      endAll();
    },
  };
}

const WAIT_SECONDS = 10;

/** The error for one stream too many. */
export function tooManyStreams(message: string): TooManyRequestsError {
  return new TooManyRequestsError(message, 'too_many_streams', WAIT_SECONDS);
}
