import type { Query } from '@tanstack/react-query';

/** What a message of the stream names: ids of what changed, by kind. */
export type Change = Readonly<
  Partial<Record<'events' | 'endpoints' | 'health' | 'replays' | 'keys', readonly (string | number)[]>>
> & {
  readonly more?: true;
};

/** What is shown of each kind: the first part of the keys of its queries. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  events: ['events', 'deliveries', 'overview'],
  endpoints: ['endpoints', 'health', 'overview'],
  health: ['health', 'overview'],
  replays: ['replays'],
  keys: ['keys', 'overview'],
};

/** What changed since the last look. */
export function createNews() {
  let subjects = new Set<unknown>();
  /** Ids of events, as texts; undefined for all. */
  let eventIds: Set<string> | undefined = new Set();
  const addEverything = (): void => {
    subjects = new Set(Object.values(SHOWN).flat());
    eventIds = undefined;
  };
  return {
    addEverything,
    add(change: Change): void {
      if (change.more) return addEverything();
      for (const kind of Object.keys(change)) for (const subject of SHOWN[kind] ?? []) subjects.add(subject);
      for (const id of change.events ?? []) eventIds?.add(String(id));
    },
    /** @returns a function that tells whether a query may have another answer now. Later changes are collected anew. */
    take(): (query: Query) => boolean {
      const taken = { subjects, eventIds };
      subjects = new Set();
      eventIds = new Set();
      return ({ queryKey: [subject, part, id] }) => {
        if (!taken.subjects.has(subject)) return false;
        // An event, or a delivery, whose id begins with that of its event.
        const isOfOneEvent = part === 'one' && (subject === 'events' || subject === 'deliveries');
        return !isOfOneEvent || !taken.eventIds || taken.eventIds.has(String(id).split('.')[0]!);
      };
    },
  };
}
