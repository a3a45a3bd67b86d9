import { LRUCache } from 'lru-cache';
import type { Logger } from '../platform/logger';
import { CHANGE_KINDS, type Change, type ChangeKind, type ChangeStore } from './change-store';

/** What changed in an account since the last message; at most `MAX_IDS` of each kind. */
export type ChangeMessage = Readonly<Partial<Record<ChangeKind, readonly (string | number)[]>>> & {
  /** There were more than the message names: everything may have changed. */
  readonly more?: true;
};

/** One that wants to know. */
export interface ChangeSubscriber {
  readonly accountId: string;
  /** Everything from here on will be told; what came before, nobody knows. */
  onReady(): void;
  onChange(message: ChangeMessage): void;
}

/** Tells subscribers what changed in their accounts. Nothing is watched while nobody wants to know. */
export interface LiveChanges {
  /** @returns a function that ends it */
  subscribe(subscriber: ChangeSubscriber): () => void;
  close(): Promise<void>;
}

/** So that a burst of changes is one message, and one look at the pages. */
const GATHER_MS = 300;
const MAX_IDS = 200;
const MAX_REMEMBERED = 50_000;

interface Watch {
  readonly close: () => Promise<void>;
  /** Whether it tells everything from now on. */
  isReady: boolean;
}

export function createLiveChanges(deps: { changes: ChangeStore; logger: Logger }): LiveChanges {
  const byAccount = new Map<string, Set<ChangeSubscriber>>();
  const accountOf = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  let gathered: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let watch: Watch | undefined;

  const everybody = (): ChangeSubscriber[] => [...byAccount.values()].flatMap((subscribers) => [...subscribers]);
  const gather = (change: Change): void => {
    gathered.push(change);
    timer ??= setTimeout(() => void tell(), GATHER_MS).unref();
  };
  const tell = async (): Promise<void> => {
    timer = undefined;
    const changes = gathered;
    gathered = [];
    try {
      for (const [accountId, own] of await byOwner(deps.changes, accountOf, changes)) {
        const message = messageOf(own);
        for (const subscriber of byAccount.get(accountId) ?? []) subscriber.onChange(message);
      }
    } catch (error) {
      deps.logger.warn({ err: error }, 'the owners of changes could not be looked up');
      for (const subscriber of everybody()) subscriber.onReady();
    }
  };
  const startWatch = (): Watch => {
    const started: Watch = {
      isReady: false,
      ...deps.changes.watch({
        onChange: gather,
        onCaughtUp: () => {
          if (started.isReady) return;
          started.isReady = true;
          for (const subscriber of everybody()) subscriber.onReady();
        },
        onBroken: (error) => {
          started.isReady = false;
          deps.logger.warn({ err: error }, 'the watch on changes broke; dashboards look again when it is back');
        },
      }),
    };
    return started;
  };
  const stopWatch = async (): Promise<void> => {
    const stopped = watch;
    watch = undefined;
    await stopped?.close();
  };

  return {
    subscribe(subscriber) {
      const subscribers = byAccount.get(subscriber.accountId) ?? new Set();
      byAccount.set(subscriber.accountId, subscribers.add(subscriber));
      watch ??= startWatch();
      if (watch.isReady) subscriber.onReady();
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0 && byAccount.get(subscriber.accountId) === subscribers) {
          byAccount.delete(subscriber.accountId);
        }
        if (byAccount.size === 0) void stopWatch();
      };
    },
    async close() {
      clearTimeout(timer);
      byAccount.clear();
      await stopWatch();
    },
  };
}

/** Sorts changes by the account they belong to. */
async function byOwner(
  store: ChangeStore,
  accountOf: LRUCache<string, string>,
  changes: readonly Change[],
): Promise<Map<string, Change[]>> {
  const keyOf = ({ kind, id }: Change): string => `${kind} ${id}`;
  for (const change of changes) if (change.accountId !== undefined) accountOf.set(keyOf(change), change.accountId);
  await Promise.all(
    CHANGE_KINDS.map(async (kind) => {
      const unknown = changes.filter((change) => change.kind === kind && !accountOf.has(keyOf(change)));
      if (unknown.length === 0) return;
      const found = await store.accountsOf(kind, [...new Set(unknown.map(({ id }) => id))]);
      for (const [id, accountId] of found) accountOf.set(keyOf({ kind, id }), accountId);
    }),
  );
  const owned = new Map<string, Change[]>();
  for (const change of changes) {
    const accountId = accountOf.get(keyOf(change));
    if (accountId === undefined) continue;
    const own = owned.get(accountId);
    if (own) own.push(change);
    else owned.set(accountId, [change]);
  }
  return owned;
}

function messageOf(changes: readonly Change[]): ChangeMessage {
  const message: Partial<Record<ChangeKind, (string | number)[]>> = {};
  let more = false;
  for (const kind of CHANGE_KINDS) {
    const ids = [...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id))];
    if (ids.length > 0) message[kind] = ids.slice(0, MAX_IDS);
    more ||= ids.length > MAX_IDS;
  }
  return more ? { ...message, more } : message;
}
