import type { ChangeFollower } from './mongo-changes';

/** One that wants to know what changes in an account. */
export interface WatchSubscriber {
  readonly accountId: string;
  /** Everything behind `position` will be told; what came before, nobody knows. Comes again after the watch broke. */
  onReady(position: string): void;
  /** Everything up to `position` was told; comes some times a second. */
  onCaughtUp?(position: string): void;
}

/** One watch of the database for any number of subscribers. Nothing is watched while nobody wants to know. */
export interface SharedWatch<Subscriber> {
  /** @returns a function that ends it */
  subscribe(subscriber: Subscriber): () => void;
  ofAccount(accountId: string): readonly Subscriber[];
  all(): readonly Subscriber[];
  close(): Promise<void>;
}

interface Watch {
  readonly close: () => Promise<void>;
  /** How far it has told everything; undefined while it is not ready. */
  position: string | undefined;
}

/**
 * A change stream holds a connection to the database all the time: with one for each subscriber, those who only listen
 * would take the connections from all others.
 *
 * @param deps `watch` starts the one watch, `onChange` passes a change on to the subscribers it concerns
 */
export function createSharedWatch<Change, Subscriber extends WatchSubscriber>(deps: {
  watch: (follower: ChangeFollower<Change>) => { close(): Promise<void> };
  onChange: (change: Change, position: string) => void;
  onBroken: (error: unknown) => void;
}): SharedWatch<Subscriber> {
  const byAccount = new Map<string, Set<Subscriber>>();
  let watch: Watch | undefined;

  const all = (): Subscriber[] => [...byAccount.values()].flatMap((subscribers) => [...subscribers]);
  const startWatch = (): Watch => {
    const follower: ChangeFollower<Change> = {
      onChange(change, position) {
        // One that is being closed may still bring what its follower hears of from the next.
        if (watch !== started) return;
        if (started.position !== undefined) started.position = position;
        deps.onChange(change, position);
      },
      onCaughtUp(position) {
        if (watch !== started) return;
        const wasReady = started.position !== undefined;
        started.position = position;
        for (const subscriber of all()) {
          if (wasReady) subscriber.onCaughtUp?.(position);
          else subscriber.onReady(position);
        }
      },
      onBroken(error) {
        started.position = undefined;
        deps.onBroken(error);
      },
    };
    const started: Watch = { position: undefined, ...deps.watch(follower) };
    return started;
  };
  const stopWatch = async (): Promise<void> => {
    const stopped = watch;
    watch = undefined;
    await stopped?.close();
  };

  return {
    subscribe(subscriber) {
      const { accountId } = subscriber;
      const subscribers = byAccount.get(accountId) ?? new Set();
      byAccount.set(accountId, subscribers.add(subscriber));
      watch ??= startWatch();
      if (watch.position !== undefined) subscriber.onReady(watch.position);
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0 && byAccount.get(accountId) === subscribers) byAccount.delete(accountId);
        if (byAccount.size === 0) void stopWatch();
      };
    },
    ofAccount: (accountId) => [...(byAccount.get(accountId) ?? [])],
    all,
    async close() {
      byAccount.clear();
      await stopWatch();
    },
  };
}
