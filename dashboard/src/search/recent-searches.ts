import { useStoredList } from '../elements/use-stored-list';

/** As many as results of a kind: a longer list is no longer found at a glance. */
const MAX_KEPT = 5;

/** The browser keeps them for each account, until they are cleared or the user signs out. */
function keyOf(accountId: string): string {
  return `everpost-searches-${accountId}`;
}

/** The last searches in this browser whose result was opened, the newest first. */
export function useRecentSearches(accountId: string) {
  const [searches, setSearches] = useStoredList(keyOf(accountId), isText);
  return {
    searches,
    add: (text: string) => setSearches([text, ...searches.filter((it) => it !== text)].slice(0, MAX_KEPT)),
    clear: () => setSearches([]),
  };
}

/** They may name customers: the next person at this browser must not see them. */
export function forgetRecentSearches(accountId: string): void {
  localStorage.removeItem(keyOf(accountId));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
