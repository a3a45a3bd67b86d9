import type { Logger } from '../platform/logger';
import { sleep } from '../platform/sleep';
import type { EventType, EventTypeStore } from './event-type-store';

/** A type as an ingest needs it. */
export type KnownType = Pick<EventType, 'schema' | 'example' | 'archived'>;

/** The event types of the installation in this process's memory. */
export interface FollowedCatalog {
  /**
   * The types by name, archived ones too, at most a quarter of a second old while MongoDB answers. Rejects while it was
   * never read.
   */
  types(): Promise<ReadonlyMap<string, KnownType>>;
  /** The same with every change that was made before this call, in this process or in another one. */
  newestTypes(): Promise<ReadonlyMap<string, KnownType>>;
  close(): Promise<void>;
}

/** Two commands fit into the promise of a second, on a slow network too. */
const ASK_EVERY_MS = 250;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks for changes of the catalog, four times a second, from the first time that someone needs it: an installation
 * without checks asks nothing. MongoDB reads one document by its id, as for revoked keys (ADR 61).
 */
export function followCatalog({
  eventTypes,
  logger,
}: {
  readonly eventTypes: Pick<EventTypeStore, 'revision' | 'changedSince'>;
  readonly logger: Logger;
}): FollowedCatalog {
  const closing = new AbortController();
  let known: ReadonlyMap<string, KnownType> = new Map();
  let revision: number | undefined;
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isBroken = false;

  const read = async (): Promise<void> => {
    const latest = await eventTypes.revision();
    if (latest === revision) return;
    // A restored backup goes back to an earlier revision.
    const isFresh = revision === undefined || latest < revision;
    const changed = await eventTypes.changedSince(isFresh ? 0 : revision!);
    const types = new Map(isFresh ? [] : known);
    for (const { _id, schema, example, archived } of changed) {
      types.set(_id, { archived, ...(schema !== undefined && { schema }), ...(example !== undefined && { example }) });
    }
    known = types;
    revision = latest;
  };
  const round = async (): Promise<void> => {
    const served = waiting;
    waiting = [];
    try {
      await read();
      isBroken = false;
      for (const { resolve } of served) resolve();
    } catch (error) {
      if (!isBroken) logger.warn({ err: error }, 'changes of the event types are not seen for now');
      isBroken = true;
      for (const { reject } of served) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await round();
      await sleep(ASK_EVERY_MS, closing.signal);
    }
    for (const { reject } of waiting) reject(new Error('the process ends'));
  };
  const nextRound = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      running ??= run();
    });
  return {
    async types() {
      if (revision === undefined) await nextRound();
      return known;
    },
    async newestTypes() {
      await nextRound();
      return known;
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
