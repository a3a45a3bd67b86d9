import { LRUCache } from 'lru-cache';
import type { Logger } from '../platform/logger';
import { createSharedWatch } from '../platform/shared-watch';
import { CHANGE_KIND_NAMES, type ChangeKind, type ChangeMessage } from '../domain/change-kinds';
import type { Change, ChangeStore } from './change-store';

/** Receives the changes of an account. */
export interface ChangeSubscriber {
  readonly accountId: string;
  /** Every change from here on will be sent; earlier ones are unknown. */
  onReady(): void;
  /** Gets what changed since the last message; at most `MAX_IDS` of each kind. */
  onChange(message: ChangeMessage): void;
}

/** So that a burst of changes becomes one message, and one reload of the pages. */
const GATHER_MS = 300;
const MAX_IDS = 200;
const MAX_REMEMBERED = 50_000;

export type LiveChanges = ReturnType<typeof createLiveChanges>;

/** Sends subscribers the changes in their accounts. It watches only while there are subscribers. */
export function createLiveChanges(deps: { changes: ChangeStore; logger: Logger }) {
  const accountOf = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  let gathered: Change[] = [];
  let timer: NodeJS.Timeout | undefined;

  const watch = createSharedWatch<Change, ChangeSubscriber>({
    watch: (follower) => deps.changes.watch(follower),
    onChange: (change) => {
      gathered.push(change);
      timer ??= setTimeout(() => void tell(), GATHER_MS).unref();
    },
    onBroken: (error) => {
      deps.logger.warn({ err: error }, 'the change stream was interrupted; dashboards reload when it resumes');
    },
  });
  const tell = async (): Promise<void> => {
    timer = undefined;
    const changes = gathered;
    gathered = [];
    try {
      for (const [accountId, own] of await byOwner(deps.changes, accountOf, changes)) {
        const message = messageOf(own);
        for (const subscriber of watch.ofAccount(accountId)) subscriber.onChange(message);
      }
    } catch (error) {
      deps.logger.warn({ err: error }, 'the owners of changes could not be looked up');
      for (const subscriber of watch.all()) subscriber.onReady();
    }
  };
  return {
    /** @returns a function that ends the subscription */
    subscribe: (subscriber: ChangeSubscriber): (() => void) => watch.subscribe(subscriber),
    async close(): Promise<void> {
      clearTimeout(timer);
      await watch.close();
    },
  };
}

/** Sorts changes by account. */
async function byOwner(
  store: ChangeStore,
  accountOf: LRUCache<string, string>,
  changes: readonly Change[],
): Promise<Map<string, Change[]>> {
  const keyOf = ({ kind, id }: Change): string => `${kind} ${id}`;
  for (const change of changes) if (change.accountId !== undefined) accountOf.set(keyOf(change), change.accountId);
  await Promise.all(
    CHANGE_KIND_NAMES.map(async (kind) => {
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
  for (const kind of CHANGE_KIND_NAMES) {
    const ids = [...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id))];
    if (ids.length > 0) message[kind] = ids.slice(0, MAX_IDS);
    more ||= ids.length > MAX_IDS;
  }
  return more ? { ...message, more } : message;
}
