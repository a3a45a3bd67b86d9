import { UnavailableError } from '../domain/errors';

/** How much may wait for MongoDB at a time in this process. */
export interface IngestBounds {
  readonly calls: number;
  /** The total size of their bodies. */
  readonly bytes: number;
  /** How long each may wait, from its arrival. */
  readonly patienceMs: number;
}

/** A call that wants to ingest. */
export interface IngestCall {
  /** The size of its body. */
  readonly bytes: number;
  /** How long the call has been in this process, without the time that its body took to arrive. */
  readonly waitedMs: number;
  /** Calls the listener when the client disconnects. @returns a function that removes the listener */
  onGone(listener: () => void): () => void;
}

const RETRY_AFTER_S = 2;

export type IngestAdmission = ReturnType<typeof createIngestAdmission>;

/** Lets a limited number of ingests wait, each for a limited time. */
export function createIngestAdmission(bounds: IngestBounds) {
  const used = { calls: 0, bytes: 0 };
  return {
    /**
     * @param ingest stops at `signal` if nothing was written yet; whatever is still written is kept and delivered
     * @throws UnavailableError `ingest_busy` at once when as many wait as may, and for a call that was not written within
     *   its patience: nothing was accepted; `outcome_unknown` for one that was sent to MongoDB and not
     *   confirmed within that time
     */
    async run<T>(call: IngestCall, ingest: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const leftMs = bounds.patienceMs - call.waitedMs;
      if (leftMs <= 0 || used.calls >= bounds.calls || used.bytes + call.bytes > bounds.bytes) throw notAccepted();
      used.calls += 1;
      used.bytes += call.bytes;
      const waiting = new AbortController();
      const stopListening = call.onGone(() => waiting.abort(notAccepted()));
      let timer: NodeJS.Timeout | undefined;
      const outOfTime = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          waiting.abort(notAccepted());
          // By now, everything that was not sent has been refused as such.
          setImmediate(() => reject(outcomeUnknown()));
        }, leftMs);
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
    'The database is too slow for the current load. Nothing was accepted: send it again.',
    'ingest_busy',
    RETRY_AFTER_S,
  );
}

/** It is unknown whether the event was accepted. */
export function outcomeUnknown(): UnavailableError {
  return new UnavailableError(
    'The database did not confirm this in time. It is unknown whether it was accepted: send it again with the same ' +
      '"idempotency_key", and it is never accepted twice.',
    'outcome_unknown',
    RETRY_AFTER_S,
  );
}
