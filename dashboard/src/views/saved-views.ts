import type { ListFilter } from '../elements/list-filter';
import { useStoredList } from '../elements/use-stored-list';

/** A list's filter under a name. */
export interface SavedView {
  readonly name: string;
  readonly filter: ListFilter;
}

/** The lists that can be saved. */
export type ListName = 'events' | 'deliveries';

/** A menu that is longer has to be searched itself. */
export const MAX_VIEWS = 20;

/**
 * A user's saved views of a list. The browser keeps them: the server keeps nothing for a user but the sign-in, and a
 * view is an address, which can be sent to others as it is.
 */
export function useSavedViews(list: ListName, userId: string) {
  const [views, setViews] = useStoredList(`everpost-views-${list}-${userId}`, isView);
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

function isView(value: unknown): value is SavedView {
  const { name, filter } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof filter === 'object' && filter !== null;
}
