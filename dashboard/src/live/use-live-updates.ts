import { useQueryClient, type InfiniteData, type Query } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What a message of the stream names: ids of what changed, by kind. */
type Change = Readonly<
  Partial<Record<'events' | 'endpoints' | 'health' | 'replays' | 'keys', readonly (string | number)[]>>
> & {
  readonly more?: true;
};

/** What is shown of each kind: the first part of the keys of its queries. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  events: ['events', 'deliveries', 'overview'],
  endpoints: ['endpoints', 'health'],
  health: ['health'],
  replays: ['replays'],
  keys: ['keys'],
};

/** A busy account changes all the time: a query asks again at most this often, which is 30 times a minute. */
const LOOK_MS = 2_000;

/**
 * Keeps what is shown up to date: the server tells what changed, and the page asks for that again. After a broken
 * connection it asks for everything.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const news = createNews();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lookedAt = Number.NEGATIVE_INFINITY;
    const look = (): void => {
      timer = undefined;
      lookedAt = performance.now();
      const isNews = news.take();
      void client.invalidateQueries({ predicate: (query) => !standsStill(query) && isNews(query) });
    };
    const lookSoon = (): void => {
      timer ??= setTimeout(look, Math.max(0, lookedAt + LOOK_MS - performance.now()));
    };
    const stream = new EventSource('/dashboard/api/live');
    stream.addEventListener('ready', () => {
      news.addEverything();
      lookSoon();
    });
    stream.addEventListener('change', (message: MessageEvent<string>) => {
      news.add(JSON.parse(message.data) as Change);
      lookSoon();
    });
    stream.addEventListener('end', () => {
      // Asked again who is signed in, the page learns why nobody is.
      client.clear();
      void router.invalidate();
    });
    return () => {
      stream.close();
      clearTimeout(timer);
    };
  }, [client, router]);
}

/** What changed since the last look. */
function createNews() {
  let subjects = new Set<unknown>();
  /** Ids of events, as texts; undefined for all. */
  let eventIds: Set<string> | undefined = new Set();
  const addEverything = (): void => {
    subjects = new Set(Object.values(SHOWN).flat());
    eventIds = undefined;
  };
  return {
    addEverything,
    add(change: Change): void {
      if (change.more) return addEverything();
      for (const kind of Object.keys(change)) for (const subject of SHOWN[kind] ?? []) subjects.add(subject);
      for (const id of change.events ?? []) eventIds?.add(String(id));
    },
    /** @returns tells whether a query may have another answer now; and begins anew */
    take(): (query: Query) => boolean {
      const taken = { subjects, eventIds };
      subjects = new Set();
      eventIds = new Set();
      return ({ queryKey: [subject, part, id] }) => {
        if (!taken.subjects.has(subject)) return false;
        // An event, or a delivery, whose id begins with that of its event.
        const isOfOneEvent = part === 'one' && (subject === 'events' || subject === 'deliveries');
        return !isOfOneEvent || !taken.eventIds || taken.eventIds.has(String(id).split('.')[0]!);
      };
    },
  };
}

/**
 * Whether a list shows older pages, or is fetching one. It stands still then: each look would ask for all of its pages
 * again, and end the fetch of the next one.
 */
function standsStill({ state: { data, fetchMeta } }: Query): boolean {
  const pages = (data as Partial<InfiniteData<unknown>> | undefined)?.pages;
  return fetchMeta?.fetchMore !== undefined || (Array.isArray(pages) && pages.length > 1);
}
