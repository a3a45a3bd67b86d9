import type { Query } from '@tanstack/react-query';
import { CHANGE_KIND_NAMES, CHANGE_KINDS, type ChangeMessage } from '../../../src/domain/change-kinds';

/** What changed since the last look. */
export function createNews() {
  let subjects = new Set<unknown>();
  /** Ids of events, as texts; undefined for all. */
  let eventIds: Set<string> | undefined = new Set();
  const addEverything = (): void => {
    subjects = new Set(CHANGE_KIND_NAMES.flatMap((kind) => CHANGE_KINDS[kind].shownBy));
    eventIds = undefined;
  };
  return {
    addEverything,
    add(change: ChangeMessage): void {
      if (change.more) return addEverything();
      for (const kind of CHANGE_KIND_NAMES) {
        if (change[kind]) for (const subject of CHANGE_KINDS[kind].shownBy) subjects.add(subject);
      }
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
