import type { ChangeFollower } from './mongo-changes';

/** Receives the changes of an account. */
export interface WatchSubscriber {
  readonly accountId: string;
  /** Every change after `position` will be passed on; earlier ones are unknown. Called again after the watch broke. */
  onReady(position: string): void;
  /** Every change up to `position` was passed on; called a few times a second. */
  onCaughtUp?(position: string): void;
}

interface Watch {
  readonly close: () => Promise<void>;
  /** Every change up to here was passed on; undefined while the watch is not ready. */
  position: string | undefined;
}

/**
 * One watch of the database for any number of subscribers. It runs only while there are subscribers.
 *
 * A change stream holds a connection to the database all the time: with one for each subscriber, idle listeners would
 * take the connections from everything else.
 *
 * @param deps `watch` starts the one watch, `onChange` passes a change on to the subscribers it concerns
 */
export function createSharedWatch<Change, Subscriber extends WatchSubscriber>(deps: {
  watch: (follower: ChangeFollower<Change>) => { close(): Promise<void> };
  onChange: (change: Change, position: string) => void;
  onBroken: (error: unknown) => void;
}) {
  const byAccount = new Map<string, Set<Subscriber>>();
  let watch: Watch | undefined;

  const all = (): Subscriber[] => [...byAccount.values()].flatMap((subscribers) => [...subscribers]);
  const startWatch = (): Watch => {
    const follower: ChangeFollower<Change> = {
      onChange(change, position) {
        // A watch that is being closed may still bring changes that its follower also gets from the next one.
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
    /** @returns a function that ends the subscription */
    subscribe(subscriber: Subscriber): () => void {
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
    ofAccount: (accountId: string): readonly Subscriber[] => [...(byAccount.get(accountId) ?? [])],
    all,
    async close(): Promise<void> {
      byAccount.clear();
      await stopWatch();
    },
  };
}
