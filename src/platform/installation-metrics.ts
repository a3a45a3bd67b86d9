import { Counter, Gauge, type Registry } from 'prom-client';
import { sleep } from './sleep';

/** How late the deliveries of the installation are: the oldest one that is due, and how many events have one. */
interface Lateness {
  readonly oldestSeconds: number;
  readonly due: number;
}

/** How much of its disk and its memory MongoDB uses, in bytes and in pages. */
interface Capacity {
  readonly diskUsed: number;
  readonly diskSize: number;
  readonly indexes: number;
  readonly pagesRequested: number;
  readonly pagesRead: number;
}

/** What is read of the whole installation when Prometheus asks. */
export interface InstallationSources {
  /** Endpoints, by state. */
  readonly endpointStates: () => Promise<Readonly<Record<string, number>>>;
  readonly lateness: () => Promise<Lateness>;
  readonly capacity: () => Promise<Capacity>;
}

/** Half of the time that a process of `PROCESSES` has to answer: without MongoDB the other metrics are still exported. */
const READ_WITHIN_MS = 2_000;
/** A disk fills in hours. Each process asks, so it does not ask at each scrape. */
const CAPACITY_FOR_MS = 60_000;

const OF_ALL = 'Each process exports the same.';

/** How a metric of the installation is made of what was read. */
interface Reading<T> {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (now: T) => number;
  readonly isCounter?: boolean;
}

/**
 * The gauges of the whole installation: all processes export the same numbers, so their sum would count each several
 * times. They are absent while MongoDB is away.
 */
export function registerInstallation(registry: Registry, sources: InstallationSources): void {
  const registers = [registry];
  void new Gauge({
    registers,
    aggregator: 'max',
    name: 'everpost_endpoints',
    help: `Endpoints of the installation, by state: failing, paused, disabled, or other. ${OF_ALL}`,
    labelNames: ['state'],
    async collect() {
      const states = await inTime(sources.endpointStates, {});
      this.reset();
      for (const [state, count] of Object.entries(states)) this.set({ state }, count);
    },
  });
  register(registry, together(sources.lateness, 0), [
    {
      name: 'everpost_oldest_due_delivery_seconds',
      help: 'For how long the next attempt of the oldest delivery of the installation is due.',
      valueOf: ({ oldestSeconds }) => oldestSeconds,
    },
    {
      name: 'everpost_due_events',
      help: 'Events of the installation with a delivery whose next attempt is due, at most 10000.',
      valueOf: ({ due }) => due,
    },
  ]);
  register(registry, together(sources.capacity, CAPACITY_FOR_MS), [
    {
      name: 'everpost_mongodb_disk_used_bytes',
      help: "What is used of the file system with MongoDB's data.",
      valueOf: ({ diskUsed }) => diskUsed,
    },
    {
      name: 'everpost_mongodb_disk_size_bytes',
      help: "The size of the file system with MongoDB's data.",
      valueOf: ({ diskSize }) => diskSize,
    },
    {
      name: 'everpost_mongodb_index_bytes',
      help: 'The indexes of the product in MongoDB.',
      valueOf: ({ indexes }) => indexes,
    },
    {
      name: 'everpost_mongodb_cache_pages_requested_total',
      help: 'Pages of events, attempts and idempotency keys, and of their indexes, that MongoDB looked up in its cache.',
      valueOf: ({ pagesRequested }) => pagesRequested,
      isCounter: true,
    },
    {
      name: 'everpost_mongodb_cache_pages_read_total',
      help: 'Those of them that MongoDB had to read from the disk.',
      valueOf: ({ pagesRead }) => pagesRead,
      isCounter: true,
    },
  ]);
}

/** Without labels a metric starts at 0, which would say that all is well: it is removed while nothing is known. */
function register<T>(registry: Registry, read: () => Promise<T | undefined>, metrics: readonly Reading<T>[]): void {
  for (const { name, help, valueOf, isCounter } of metrics) {
    const about = { name, help: `${help} ${OF_ALL}`, registers: [registry], aggregator: 'max' as const };
    if (isCounter) {
      void new Counter({
        ...about,
        async collect() {
          const now = await read();
          this.remove();
          if (now) this.inc(valueOf(now));
        },
      });
    } else {
      void new Gauge({
        ...about,
        async collect() {
          const now = await read();
          this.remove();
          if (now) this.set(valueOf(now));
        },
      });
    }
  }
}

/** One question answers all metrics that are read at once, and those that are read in the next `forMs`. */
function together<T>(read: () => Promise<T>, forMs: number): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  return () =>
    (reading ??= inTime<T | undefined>(read, undefined).then((value) => {
      // What is not known is asked for again at once.
      if (value === undefined || forMs === 0) reading = undefined;
      else setTimeout(() => (reading = undefined), forMs).unref();
      return value;
    }));
}

/** Reads in time, or gives the value for "unknown". */
export async function inTime<T>(read: () => Promise<T>, unknown: T): Promise<T> {
  const done = new AbortController();
  const late = sleep(READ_WITHIN_MS, done.signal).then(() => unknown);
  const value = await Promise.race([read().catch(() => unknown), late]);
  done.abort();
  return value;
}
