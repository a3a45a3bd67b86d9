import type { OverviewStore, SeenType } from './overview-store';
import { createSharedRead } from './share-read';

/** Types of events of an account. */
interface EventTypes {
  /** The last used first. */
  readonly types: readonly SeenType[];
  /** False if the account may have more. */
  readonly complete: boolean;
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Lists the types of the last 30 days, however many events one of them has. Of an account with very many types it is
 * the first ones of the alphabet, and those of the newest events.
 */
export function createListEventTypes(overview: Pick<OverviewStore, 'typesSince' | 'newestTypes'>) {
  const share = createSharedRead<EventTypes>();
  const list = async (accountId: string, now: Date): Promise<EventTypes> => {
    const { types, complete } = await overview.typesSince(accountId, new Date(now.getTime() - DAYS * DAY_MS));
    const more = complete ? [] : await overview.newestTypes(accountId);
    const all = new Map([...more, ...types].map((seen) => [seen.type, seen]));
    return { types: [...all.values()].sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime()), complete };
  };
  return (accountId: string, now: Date) => share(accountId, () => list(accountId, now));
}
