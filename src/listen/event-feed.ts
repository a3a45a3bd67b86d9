import type { Logger } from '../platform/logger';
import { createSharedWatch, type WatchSubscriber } from '../platform/shared-watch';
import type { AcceptedEvent, ListenStore } from './listen-store';

/** A step of following an account's events. */
export interface Step {
  /** Undefined if no event arrived for a moment. */
  readonly event: AcceptedEvent | undefined;
  /** Everything up to here was sent. */
  readonly position: string;
}

interface FeedSubscriber extends WatchSubscriber {
  onEvent(event: AcceptedEvent, position: string): void;
}

/** Ten batches. An entry is an id, a type and a position: about 300 bytes. */
const MAX_UNREAD = 1_000;

export type EventFeed = ReturnType<typeof createEventFeed>;

/** Accepted events, for any number of listeners. */
export function createEventFeed(deps: { listening: ListenStore; logger: Logger }) {
  const watch = createSharedWatch<AcceptedEvent, FeedSubscriber>({
    watch: (follower) => deps.listening.watch(follower),
    onChange(event, position) {
      for (const subscriber of watch.ofAccount(event.accountId)) subscriber.onEvent(event, position);
    },
    onBroken: (error) => deps.logger.warn({ err: error }, 'the watch on events broke; streams resume when it is back'),
  });
  return {
    /** The steps of one listener, from now on; the first one gives the starting position. */
    follow: (accountId: string) => follow(watch.subscribe, accountId),
    close: () => watch.close(),
  };
}

function follow(subscribe: (subscriber: FeedSubscriber) => () => void, accountId: string) {
  const unread: Step[] = [];
  let isReady = false;
  let isOver = false;
  let wake = (): void => undefined;

  const end = (): void => {
    isOver = true;
    wake();
  };
  const push = (step: Step): void => {
    // Merges consecutive steps without an event.
    if (step.event === undefined && unread.at(-1)?.event === undefined) unread.pop();
    unread.push(step);
    if (unread.length > MAX_UNREAD) end();
    else wake();
  };
  const unsubscribe = subscribe({
    accountId,
    onReady(position) {
      if (isReady) end();
      isReady = true;
      push({ event: undefined, position });
    },
    onCaughtUp: (position) => push({ event: undefined, position }),
    onEvent: (event, position) => isReady && push({ event, position }),
  });
  async function* steps(): AsyncGenerator<Step, void> {
    for (;;) {
      const step = unread.shift();
      if (isOver) return;
      if (step) yield step;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    /** Ends when a step may be missing: the reader was too slow, or the watch broke. The reader then starts again. */
    steps: steps(),
    close(): void {
      unsubscribe();
      end();
    },
  };
}
