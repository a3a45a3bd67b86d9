import { matchesEventType } from '../domain/event-pattern';
import { countListed, scanJson } from '../domain/raw-json';
import { compileFilter, type EventFilter } from '../endpoints/event-filter';
import type { FilterCost } from '../limits/filter-budget';
import type { Endpoint } from '../stores/endpoint-store';

/** Kept as long as the endpoint is in the endpoint cache, so each version of an endpoint is compiled once. */
const compiled = new WeakMap<Pick<Endpoint, 'options'>, EventFilter>();

/** The endpoints with a pattern that matches an event's type, and what their filters would cost. */
export interface Candidates {
  readonly endpoints: readonly Endpoint[];
  readonly cost: FilterCost;
}

/** What an event without filters costs. */
const NO_FILTERS: FilterCost = { work: 0, comparisons: 0, listed: 0 };

/** What a comparison with a value outside of lists costs: up to 0.5 µs, four units. */
const MIN_WORK = 4;

/**
 * Finds the endpoints with a pattern that matches an event's type. No filter is evaluated yet: the cost counts the values
 * inside lists of the data, times the depth of its nesting, times the values that the filters compare with. A path finds
 * one value outside of lists, however many there are.
 */
export function findCandidates(
  all: readonly Endpoint[],
  { type, data }: { readonly type: string; readonly data: Uint8Array },
): Candidates {
  const endpoints = all.filter((endpoint) => hasPatternFor(endpoint, type));
  return { endpoints, cost: costOfFilters(endpoints, data) };
}

/** Whether a pattern of an endpoint matches an event's type. */
export function hasPatternFor({ events }: Pick<Endpoint, 'events'>, type: string): boolean {
  return events.some((pattern) => matchesEventType(pattern, type));
}

/** What the filters of endpoints would cost for some data. */
export function costOfFilters(endpoints: readonly Endpoint[], data: Uint8Array): FilterCost {
  const comparisons = endpoints.reduce((sum, endpoint) => sum + (filterOf(endpoint)?.comparisons ?? 0), 0);
  if (comparisons === 0) return NO_FILTERS;
  const listed = countListed(data);
  // A number or a string has no depth.
  const depth = Math.max(1, scanJson(data).depth);
  return { work: (MIN_WORK + listed) * depth * comparisons, comparisons, listed };
}

/** The endpoints that an event goes to: those whose filter matches its data, which is parsed only if there is a filter. */
export function matchDestinations({ endpoints, cost }: Candidates, data: Uint8Array): readonly Endpoint[] {
  if (cost.comparisons === 0) return endpoints;
  const parsed: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
  return endpoints.filter((endpoint) => filterOf(endpoint)?.matches(parsed) ?? true);
}

/** An endpoint's filter, compiled; undefined if it has none. */
export function filterOf(endpoint: Pick<Endpoint, 'options'>): EventFilter | undefined {
  const text = endpoint.options?.filter;
  if (text === undefined) return undefined;
  let filter = compiled.get(endpoint);
  if (!filter) {
    filter = compileFilter(JSON.parse(text));
    compiled.set(endpoint, filter);
  }
  return filter;
}
