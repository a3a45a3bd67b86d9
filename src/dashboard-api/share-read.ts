import { LRUCache } from 'lru-cache';

/** Reading takes at most a tenth of a core for an account with very many events, however often it is requested. */
const AGE_PER_READING = 10;

/** Reads, unless this was read a moment ago. */
export type SharedRead<Found> = (key: string, read: () => Promise<Found>) => Promise<Found>;

/** Browsers of a team share what is read, which is at most ten times as old as reading takes. */
export function createSharedRead<Found>(): SharedRead<Found> {
  const reads = new LRUCache<string, Promise<Found>>({ max: 1_000 });
  return (key, read) => {
    const known = reads.get(key);
    if (known) return known;
    const startedAt = performance.now();
    const reading = read();
    reads.set(key, reading);
    reading.then(
      () => reads.set(key, reading, { ttl: AGE_PER_READING * (performance.now() - startedAt) }),
      () => reads.delete(key),
    );
    return reading;
  };
}
