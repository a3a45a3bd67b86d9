import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FilterBudget } from '../limits/filter-budget';
import type { Endpoint } from '../stores/endpoint-store';
import type { NewEvent } from '../stores/event-store';
import type { EventIds } from './event-ids';
import { findCandidates, matchDestinations } from './match-destinations';
import { newEvent, type Caller, type IngestInput, type NewEventDeps } from './new-event';

/** What drafts need. */
export interface DraftDeps extends NewEventDeps {
  readonly eventIds: EventIds;
  readonly filterBudget: Pick<FilterBudget, 'take' | 'run'>;
}

/** Why an event of a batch is not accepted. */
export interface Refusal {
  readonly error: unknown;
}

/** A valid event of a batch, or why it is invalid. */
export type BatchItem = IngestInput | Refusal;

/** How long a batch may keep the event loop from other calls, beyond one event. */
const SLICE_MS = 10;

/**
 * Matches the events of one call with their destinations, before any of them is stored. What all their filters may cost is
 * decided before the first one is evaluated.
 *
 * @param signal aborts the rest
 * @returns the events with their destinations; a refused one does not affect the others
 */
export async function draftEvents(
  { eventIds, filterBudget, ...deps }: DraftDeps,
  caller: Caller,
  { items, endpoints }: { readonly items: readonly BatchItem[]; readonly endpoints: readonly Endpoint[] },
  signal?: AbortSignal,
): Promise<(NewEvent | Refusal)[]> {
  const found = await inSlices(
    items,
    (item) => ('error' in item ? item : { item, ...findCandidates(endpoints, item) }),
    signal,
  );
  const costs = found.flatMap((candidates) => ('error' in candidates ? [] : [candidates.cost]));
  const { refusals, end } = filterBudget.take(caller.accountId, costs);
  const drafts = inSlices(
    found,
    async (candidates) => {
      if ('error' in candidates) return candidates;
      const error = refusals.shift();
      if (error) return { error };
      const { item, cost } = candidates;
      const matching = await filterBudget.run(cost.work, () => matchDestinations(candidates, item.data), signal);
      return newEvent(deps, await eventIds.next(), caller, item, matching);
    },
    signal,
  );
  return drafts.finally(end);
}

/** Does `work` for each item in order, and gives other calls their turns between them. */
async function inSlices<T, R>(
  items: readonly T[],
  work: (item: T) => R | Promise<R>,
  signal: AbortSignal | undefined,
): Promise<R[]> {
  const results = [];
  let sliceBeganMs = performance.now();
  for (const item of items) {
    results.push(await work(item));
    if (performance.now() - sliceBeganMs < SLICE_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    sliceBeganMs = performance.now();
  }
  return results;
}
