import { linkOptions } from '@tanstack/react-router';
import { isEventPattern } from '../../../src/domain/event-pattern';
import { splitSearchValue } from '../../../src/domain/search-values';
import type { SearchAnswer } from '../api/answers';
import { endpointName } from '../endpoints/endpoint-name';

type Match = SearchAnswer['events'][number];
type Target = ReturnType<typeof eventTarget> | ReturnType<typeof listTarget> | ReturnType<typeof endpointTarget>;

/** One thing that was found, and the page that shows it. */
export interface Result {
  readonly id: string;
  readonly kind: 'event' | 'list' | 'endpoint' | 'type';
  readonly title: string;
  /** More about it: what it is, or by what it was found. */
  readonly detail: string;
  readonly state?: string;
  readonly at?: string;
  readonly target: Target;
}

/** Results of one kind, under its heading. */
export interface ResultGroup {
  readonly label: string;
  readonly results: readonly Result[];
}

/** What was found, by kind, in the order in which it is shown; kinds without a result are left out. */
export function groupsOf(found: SearchAnswer, text: string): ResultGroup[] {
  const groups: ResultGroup[] = [
    { label: 'Events', results: found.events.flatMap(eventResults) },
    { label: 'Endpoints', results: found.endpoints.map(endpointResult) },
    { label: 'Event types', results: typeResults(found.event_types, text) },
  ];
  return groups.filter(({ results }) => results.length > 0);
}

function eventResults({ by, value, found, has_more }: Match): Result[] {
  const events = found.map(({ id, type, status, timestamp }): Result => ({
    id: `${by}-${value}-${id}`,
    kind: 'event',
    title: type,
    detail: by === 'id' ? `Event ${id}` : `Event ${id} · ${nameOf(by, value)}`,
    state: status,
    at: new Date(timestamp * 1_000).toISOString(),
    target: eventTarget(String(id)),
  }));
  if (by === 'id' || (found.length < 2 && !has_more)) return events;
  const list: Result = {
    id: `${by}-${value}`,
    kind: 'list',
    title: has_more ? 'All of these events' : `These ${found.length} events as a list`,
    detail: nameOf(by, value),
    target: listTarget({ [by]: value }),
  };
  return [...events, list];
}

/** By what an event was found, in words. */
function nameOf(by: Exclude<Match['by'], 'id'>, text: string): string {
  if (by === 'idempotency_key') return `idempotency key ${text}`;
  const { field, value } = splitSearchValue(text);
  return `${field} ${value}`;
}

function endpointResult(endpoint: SearchAnswer['endpoints'][number]): Result {
  const { id, url, description, status } = endpoint;
  return {
    id,
    kind: 'endpoint',
    title: endpointName(endpoint),
    detail: description === '' ? id : url,
    state: status,
    target: endpointTarget(id),
  };
}

function typeResults(types: readonly string[], text: string): Result[] {
  const ofType = (type: string, title: string, detail: string): Result => ({
    id: `type-${type}`,
    kind: 'type',
    title,
    detail,
    target: listTarget({ type }),
  });
  const isPrefix = text.endsWith('.*') && isEventPattern(text) && types.length > 0;
  return [
    ...(isPrefix ? [ofType(text, text, 'Events of all these types')] : []),
    ...types.map((type) => ofType(type, type, 'Events of this type')),
  ];
}

const eventTarget = (eventId: string) => linkOptions({ to: '/dashboard/events/$eventId', params: { eventId } });
const endpointTarget = (endpointId: string) =>
  linkOptions({ to: '/dashboard/endpoints/$endpointId', params: { endpointId } });
const listTarget = (search: { readonly type?: string; readonly data?: string; readonly idempotency_key?: string }) =>
  linkOptions({ to: '/dashboard/find', search });
