import { useLocalStorage } from '@mantine/hooks';

/** As many as results of a kind: a longer list is no longer found at a glance. */
const MOST_KEPT = 5;
const NONE: readonly string[] = [];

/** The browser keeps them for each account, until they are cleared or somebody signs out. */
function keyOf(accountId: string): string {
  return `everpost-searches-${accountId}`;
}

/** The last searches in this browser from which somebody opened a result, the newest first. */
export function useRecentSearches(accountId: string) {
  const [searches, setSearches] = useLocalStorage({
    key: keyOf(accountId),
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: readSearches,
  });
  return {
    searches,
    add: (text: string) => setSearches([text, ...searches.filter((it) => it !== text)].slice(0, MOST_KEPT)),
    clear: () => setSearches(NONE),
  };
}

/** They may name customers: the next person at this browser must not see them. */
export function forgetRecentSearches(accountId: string): void {
  localStorage.removeItem(keyOf(accountId));
}

/** What is in the storage, if it is what this page writes there. */
function readSearches(stored: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : NONE;
  } catch {
    return NONE;
  }
}
