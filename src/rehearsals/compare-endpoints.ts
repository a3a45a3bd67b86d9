import { findCandidates, matchDestinations } from '../events/match-destinations';
import type { Endpoint } from '../stores/endpoint-store';

/** An event as the ingest gets it. */
export interface RehearsedEvent {
  readonly type: string;
  readonly data: Uint8Array;
}

/** How many events go to an endpoint before and after a change. */
export interface Counts {
  readonly before: number;
  readonly after: number;
}

/** The counts of all events, and of the types that change most. */
export interface MatchCounts extends Counts {
  readonly types: readonly (Counts & { readonly type: string })[];
}

const MAX_TYPES = 50;

/**
 * Counts the events that go to an endpoint before and after a change, with the functions of the ingest.
 *
 * @param before the endpoint as it is; undefined for one that does not exist yet
 * @returns at most 50 types, the largest changes first, and those that change alike by name
 */
export function compareEndpoints(
  before: Endpoint | undefined,
  after: Endpoint,
  events: readonly RehearsedEvent[],
): MatchCounts {
  const byType = new Map<string, Counts>();
  for (const event of events) {
    const known = byType.get(event.type) ?? { before: 0, after: 0 };
    byType.set(event.type, {
      before: known.before + Number(before !== undefined && goesTo(before, event)),
      after: known.after + Number(goesTo(after, event)),
    });
  }
  const types = [...byType].map(([type, counts]) => ({ type, ...counts })).toSorted(byChange);
  return {
    before: types.reduce((sum, counts) => sum + counts.before, 0),
    after: types.reduce((sum, counts) => sum + counts.after, 0),
    types: types.slice(0, MAX_TYPES),
  };
}

function goesTo(endpoint: Endpoint, event: RehearsedEvent): boolean {
  return matchDestinations(findCandidates([endpoint], event), event.data).length > 0;
}

function byChange(one: Counts & { type: string }, other: Counts & { type: string }): number {
  const difference = Math.abs(other.after - other.before) - Math.abs(one.after - one.before);
  return difference || (one.type < other.type ? -1 : 1);
}
