import type { z } from 'zod';
import { eventStatus } from '../domain/delivery-state';
import { SEARCH_FIELD_PATTERN, searchValue } from '../domain/search-values';
import type { Endpoint, EndpointStore } from '../stores/endpoint-store';
import type { EventFilter, EventListStore, ListedEvent } from '../stores/list-events-store';
import type { searchView } from './schema';

/** What a search needs. */
export interface SearchDeps {
  readonly eventLists: Pick<EventListStore, 'page' | 'typesFrom'>;
  readonly endpoints: Pick<EndpointStore, 'listByAccount'>;
}

/** Who searches, and for what. */
interface Search {
  readonly accountId: string;
  /** The account's search fields. */
  readonly searchFields: readonly string[];
  /** As typed, without spaces around it. */
  readonly text: string;
}

type Found = z.output<typeof searchView>;
type Match = Found['events'][number];

/** The most results of a kind: more would not fit beside the others. */
const MAX_SHOWN = 5;

const EVENT_ID = /^[0-9]{1,16}$/;
/** `data.customer_id = cus_123`, `customer_id=cus_123` or `customer_id:cus_123`. */
const FIELD_AND_VALUE = new RegExp(`^(data\\.)?(${SEARCH_FIELD_PATTERN.slice(1, -1)})\\s*[=:]\\s*([\\s\\S]+)$`);
const TYPE_PREFIX = /^[\w.:/-]*$/;

/**
 * Finds events by id, idempotency key or a value in a search field; endpoints by id, external id, URL or description; event types by
 * how they begin. Every query reads an index, a few entries each.
 */
export async function search(deps: SearchDeps, { accountId, searchFields, text }: Search): Promise<Found> {
  const asked = fieldAndValue(text);
  const isField = asked !== undefined && searchFields.includes(asked.field);
  const values = isField
    ? [searchValue(asked.field, asked.value)]
    : searchFields.map((field) => searchValue(field, text));
  const events = (by: Match['by'], value: string, filter: Omit<EventFilter, 'accountId'>) =>
    findEvents(deps, by, value, { ...filter, accountId });
  const [matches, endpoints, types] = await Promise.all([
    Promise.all([
      ...(EVENT_ID.test(text) && Number.isSafeInteger(Number(text))
        ? [events('id', text, { eventId: Number(text) })]
        : []),
      events('idempotency_key', text, { idempotencyKey: text }),
      ...values.map((value) => events('data', value, { search: value })),
    ]),
    deps.endpoints.listByAccount(accountId),
    findTypes(deps, accountId, text),
  ]);
  return {
    events: matches.filter((match) => match.found.length > 0),
    endpoints: endpointsLike(endpoints, text),
    event_types: types,
    search_fields: [...searchFields],
    unknown_field: asked?.isSure === true && !isField ? asked.field : null,
  };
}

/** The field and the value that a text names; `isSure` if it can mean nothing else. */
function fieldAndValue(text: string) {
  const [, prefix, field, value] = FIELD_AND_VALUE.exec(text) ?? [];
  return field === undefined || value === undefined ? undefined : { field, value, isSure: prefix !== undefined };
}

async function findEvents(deps: SearchDeps, by: Match['by'], value: string, filter: EventFilter): Promise<Match> {
  const { events, next } = await deps.eventLists.page(filter, { order: 'newest first', limit: MAX_SHOWN });
  return { by, value, found: events.map(presentFoundEvent), has_more: next !== null };
}

function presentFoundEvent({ _id: id, type, timestamp, destinations }: ListedEvent): Match['found'][number] {
  const status = eventStatus(destinations.map(({ state, attempt_count: attemptCount }) => ({ state, attemptCount })));
  return { id, type, timestamp, status };
}

/** `order.*` and `order` find the types that begin with `order.` and `order`. */
function findTypes(deps: SearchDeps, accountId: string, text: string): Promise<string[]> | string[] {
  const prefix = text.endsWith('*') ? text.slice(0, -1) : text;
  return TYPE_PREFIX.test(prefix) ? deps.eventLists.typesFrom(accountId, prefix, MAX_SHOWN) : [];
}

/** An account has at most `MAX_ENDPOINTS`, so all of them are read. */
function endpointsLike(endpoints: readonly Endpoint[], text: string): Found['endpoints'] {
  const wanted = text.toLowerCase();
  return endpoints
    .filter(({ _id, external_id: externalId = '', url, description }) =>
      [_id, externalId, url, description].some((part) => part.toLowerCase().includes(wanted)),
    )
    .slice(0, MAX_SHOWN)
    .map(({ _id: id, url, description, status }) => ({ id, url, description, status }));
}
