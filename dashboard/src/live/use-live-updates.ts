import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What a message of the stream names: ids of what changed, by kind. */
type Change = Readonly<Partial<Record<'events' | 'endpoints' | 'replays' | 'keys', readonly unknown[]>>> & {
  readonly more?: true;
};

/** What is shown of each kind: the first part of the keys of its queries. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  events: ['events', 'deliveries', 'overview'],
  endpoints: ['endpoints'],
  replays: ['replays'],
  keys: ['keys'],
};

/** A busy account changes all the time: everything shown is looked at again at most this often. */
const LOOK_MS = 1_000;

/**
 * Keeps what is shown up to date: the server tells what changed, and the page asks for that again. After a broken
 * connection it asks for everything.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (keys: readonly string[]): void => {
      for (const key of keys) changed.add(key);
      timer ??= setTimeout(() => {
        timer = undefined;
        lookAgain(client, changed);
      }, LOOK_MS);
    };
    const stream = new EventSource('/dashboard/api/live');
    stream.addEventListener('ready', () => look(Object.values(SHOWN).flat()));
    stream.addEventListener('change', (message: MessageEvent<string>) => {
      const change = JSON.parse(message.data) as Change;
      const kinds = change.more ? Object.keys(SHOWN) : Object.keys(change);
      look(kinds.flatMap((kind) => SHOWN[kind] ?? []));
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

function lookAgain(client: QueryClient, changed: Set<string>): void {
  for (const key of changed) void client.invalidateQueries({ queryKey: [key] });
  changed.clear();
}
