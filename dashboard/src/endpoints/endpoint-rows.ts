import { HEALTH_STATES, type HealthState } from '../../../src/domain/endpoint-health';
import type { Endpoint, EndpointHealthList, EndpointWaiting } from '../api/answers';
import { endpointName } from './endpoint-name';

type Listed = EndpointHealthList['endpoints'][number];

/** An endpoint of the list, with its health and the attempts of each of the last 24 hours. */
export interface EndpointRow extends Pick<Listed, 'health' | 'hours'> {
  readonly endpoint: Endpoint;
  /** How many deliveries wait for it; undefined until they are counted. */
  readonly waiting: number | undefined;
}

/** The orders of the list, with their labels. */
export const ENDPOINT_SORTS = {
  newest: 'Newest first',
  waiting: 'Waiting deliveries',
  failures: 'Failure rate, 24 hours',
  name: 'Name',
} as const;
type EndpointSort = keyof typeof ENDPOINT_SORTS;

/** What the address of the list says: a state, a text to find, an order. */
interface EndpointSearch {
  readonly health?: string | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
}

/** Joins endpoints with their health, and with what waits for them. Until it is loaded, an endpoint's own answer says its state. */
export function rowsOf(
  endpoints: readonly Endpoint[],
  list: EndpointHealthList | undefined,
  counts: EndpointWaiting | undefined,
): EndpointRow[] {
  const waiting = new Map((counts?.endpoints ?? []).map((it) => [it.endpoint_id, it.deliveries]));
  const listed = new Map((list?.endpoints ?? []).map((it) => [it.endpoint_id, it]));
  return endpoints.map((endpoint) => ({
    endpoint,
    health: listed.get(endpoint.id)?.health ?? endpoint.health,
    hours: listed.get(endpoint.id)?.hours ?? [],
    waiting: counts && (waiting.get(endpoint.id) ?? 0),
  }));
}

/** How many rows are in each state, the worst first. States without a row are left out. */
export function countByHealth(rows: readonly EndpointRow[]): { readonly state: HealthState; readonly count: number }[] {
  return WORST_FIRST.map((state) => ({
    state,
    count: rows.filter(({ health }) => health.state === state).length,
  })).filter(({ count }) => count > 0);
}

const WORST_FIRST = [
  'failing',
  'disabled',
  'degraded',
  'paused',
  'waiting',
  'healthy',
] as const satisfies HealthState[];

/** The rows that a search asks for, in its order. A state or an order that does not exist is ignored. */
export function searchRows(rows: readonly EndpointRow[], { health, q = '', sort }: EndpointSearch): EndpointRow[] {
  const state = HEALTH_STATES.find((it) => it === health);
  const text = q.trim().toLowerCase();
  const found = rows.filter(
    (row) =>
      (state === undefined || row.health.state === state) &&
      textsOf(row.endpoint).some((it) => it.toLowerCase().includes(text)),
  );
  const compare = ORDERS.get(sort ?? '');
  return compare ? found.toSorted(compare) : found;
}

/** By what an endpoint is found: description, URL, ids, patterns and metadata. */
function textsOf({ description, url, id, external_id: externalId, events, metadata }: Endpoint): string[] {
  return [description, url, id, externalId ?? '', ...events, ...Object.entries(metadata).flat()];
}

const ORDERS: ReadonlyMap<string, (one: EndpointRow, other: EndpointRow) => number> = new Map([
  ['waiting', (one, other) => (other.waiting ?? 0) - (one.waiting ?? 0)],
  ['failures', (one, other) => failureRate(other) - failureRate(one)],
  ['name', (one, other) => endpointName(one.endpoint).localeCompare(endpointName(other.endpoint), 'en')],
] satisfies [EndpointSort, (one: EndpointRow, other: EndpointRow) => number][]);

/** Failed attempts of the last 24 hours, as a part of all; 0 without attempts. */
export function failureRate({ hours }: Pick<EndpointRow, 'hours'>): number {
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const all = failed + hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  return all === 0 ? 0 : failed / all;
}
