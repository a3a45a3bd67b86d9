import { LRUCache } from 'lru-cache';

/** Groups concurrent writes into one round trip. */
export interface WriteGroup<Item, Result> {
  /**
   * Adds an item to the next group; resolves or rejects with the result of this item.
   *
   * @param signal removes the item, unless it is being written: its caller gets the signal's reason
   */
  add(item: Item, signal?: AbortSignal): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Detaches it from its signal. */
  readonly forget: (() => void) | undefined;
}

/** How a group writes. */
interface GroupOptions {
  /** The most items of a write. */
  readonly maxItems: number;
  /** The most writes at a time. */
  readonly maxInFlight: number;
  /** How long a group waits for more items, if no caller needs its result soon. */
  readonly lingerMs?: number;
}

const MAX_KEYS = 10_000;

/** For writes of the data path: the second group is written while the first waits for the journal. */
export const DATA_PATH_GROUP = { maxItems: 200, maxInFlight: 2 } as const satisfies GroupOptions;

/**
 * Makes a group for each key, such as an account: concurrent items of one key share a write, and those of different keys
 * do not wait for each other.
 *
 * @param write as for `createWriteGroup`, of one key
 * @returns the group of a key
 */
export function createWriteGroups<Item, Result>(
  write: (key: string, items: readonly Item[]) => Promise<readonly Result[]>,
  options: GroupOptions,
): (key: string) => WriteGroup<Item, Result> {
  const groups = new LRUCache<string, WriteGroup<Item, Result>>({
    max: MAX_KEYS,
    memoMethod: (key) => createWriteGroup((items) => write(key, items), options),
  });
  return (key) => groups.memo(key);
}

/**
 * Makes a group that writes at once when idle. Otherwise, items wait for the group in flight: no added delay for a
 * single caller, one journal flush for many concurrent ones. Each caller's promise settles only when its own item is
 * written, so an acknowledgement is always true.
 *
 * @param write writes all items in one go, and returns results in the same order; a rejection goes to every caller
 */
export function createWriteGroup<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: GroupOptions,
): WriteGroup<Item, Result> {
  const queue: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const flush = async (): Promise<void> => {
    const group = queue.splice(0, options.maxItems);
    for (const { forget } of group) forget?.();
    inFlight += 1;
    try {
      const results = await write(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('the group write did not give a result for each item');
      group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    } finally {
      inFlight -= 1;
      pump();
    }
  };
  const pump = (): void => {
    isScheduled = false;
    while (queue.length > 0 && inFlight < options.maxInFlight) void flush();
  };
  /** Not at once: items that arrive in the same turn of the event loop go into the same group. */
  const schedulePump = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    if (options.lingerMs === undefined) setImmediate(pump);
    else setTimeout(pump, options.lingerMs);
  };

  return {
    add: (item, signal) =>
      new Promise<Result>((resolve, reject) => {
        signal?.throwIfAborted();
        const leave = (): void => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal?.reason as Error);
        };
        const forget = signal && ((): void => signal.removeEventListener('abort', leave));
        const waiting = { item, resolve, reject, forget };
        signal?.addEventListener('abort', leave);
        queue.push(waiting);
        schedulePump();
      }),
  };
}
