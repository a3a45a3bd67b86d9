import { UnavailableError } from '../domain/errors';

/** How much may wait for MongoDB at a time in this process. */
export interface IngestBounds {
  readonly calls: number;
  /** Of their bodies. */
  readonly bytes: number;
}

/** A call that wants to ingest. */
export interface IngestCall {
  /** Of its body. */
  readonly bytes: number;
  /** Tells when the client leaves. @returns a function that ends that */
  onGone(listener: () => void): () => void;
}

/** A failover takes longer, and the client of a longer wait has left. */
const PATIENCE_MS = 2_000;
const RETRY_AFTER_S = 2;

export type IngestRoom = ReturnType<typeof createIngestRoom>;

/** Lets a bounded number of ingests wait, each of them for a bounded time. */
export function createIngestRoom(bounds: IngestBounds) {
  const used = { calls: 0, bytes: 0 };
  return {
    /**
     * @param ingest stops at `signal` where nothing was written yet; what is written all the same is kept and delivered
     * @throws UnavailableError `ingest_busy` at once when the room is full, and for an ingest that was not written after
     *   two seconds: nothing was accepted; `outcome_unknown` for one that was sent to MongoDB and not confirmed by then
     */
    async run<T>(call: IngestCall, ingest: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (used.calls >= bounds.calls || used.bytes + call.bytes > bounds.bytes) throw notAccepted();
      used.calls += 1;
      used.bytes += call.bytes;
      const waiting = new AbortController();
      const stopListening = call.onGone(() => waiting.abort(notAccepted()));
      let timer: NodeJS.Timeout | undefined;
      const outOfTime = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          waiting.abort(notAccepted());
          // What was not sent is refused by now, and said so.
          setImmediate(() => reject(outcomeUnknown()));
        }, PATIENCE_MS);
      });
      const result = ingest(waiting.signal).finally(() => {
        used.calls -= 1;
        used.bytes -= call.bytes;
        clearTimeout(timer);
        stopListening();
      });
      return Promise.race([result, outOfTime]);
    },
  };
}

function notAccepted(): UnavailableError {
  return new UnavailableError(
    'The database is too slow for what is sent right now. Nothing was accepted: send it again.',
    'ingest_busy',
    RETRY_AFTER_S,
  );
}

/** Nobody knows whether the event was accepted. */
export function outcomeUnknown(): UnavailableError {
  return new UnavailableError(
    'The database did not confirm this in time. Whether it was accepted is not known: send it again with the same ' +
      '"idempotency_key", and it is never accepted twice.',
    'outcome_unknown',
    RETRY_AFTER_S,
  );
}
