import { useLocalStorage } from '@mantine/hooks';
import type { ListFilter } from '../elements/list-filter';

/** A list's filter under a name. */
export interface SavedView {
  readonly name: string;
  readonly filter: ListFilter;
}

/** The lists that can be saved. */
export type ListName = 'events' | 'deliveries';

/** A menu that is longer has to be searched itself. */
export const MOST_VIEWS = 20;

const NONE: readonly SavedView[] = [];

/**
 * A user's saved views of a list. The browser keeps them: the server keeps nothing for a user but the sign-in, and a
 * view is an address, which can be sent to others as it is.
 */
export function useSavedViews(list: ListName, userId: string) {
  const [views, setViews] = useLocalStorage({
    key: `everpost-views-${list}-${userId}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: readViews,
  });
  return {
    views,
    /** A view of this name is replaced. */
    save: (view: SavedView) =>
      setViews([...views.filter(({ name }) => name !== view.name), view].sort((a, b) => a.name.localeCompare(b.name))),
    remove: (name: string) => setViews(views.filter((view) => view.name !== name)),
  };
}

/** Whether two filters select the same. */
export function isSameFilter(one: ListFilter, other: ListFilter): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

/** What is in the storage, if it is what this page writes there. */
function readViews(stored: string | undefined): readonly SavedView[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isView) : NONE;
  } catch {
    return NONE;
  }
}

function isView(value: unknown): value is SavedView {
  const { name, filter } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof filter === 'object' && filter !== null;
}
