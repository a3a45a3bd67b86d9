import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type {
  EventType,
  EventTypeChange,
  EventTypeImportResult,
  EventTypeList,
  EventTypesDocument,
  ListedEventType,
} from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** The catalog of event types. Every key reads it; a management key changes it. */
export interface EventTypes {
  /**
   * Creates an event type, or changes it if it exists. The same call again changes nothing.
   *
   * @throws EverpostError for a schema that can't be used, or an example that does not fit it
   */
  put(name: string, change?: EventTypeChange, options?: CallOptions): Promise<EventType>;
  /**
   * The event type with its schema and its example.
   *
   * @param version an earlier one; the current one without it
   * @throws EverpostError with the code `event_type_not_found` if there is none
   */
  get(name: string, version?: number, options?: CallOptions): Promise<EventType>;
  /** Event types by name, without their schemas and examples. */
  list(query?: ListQuery<'listEventTypes'>, options?: CallOptions): List<ListedEventType, EventTypeList>;
  /** Takes an event type out of the lists. `put` with `archived: false` brings it back. */
  archive(name: string, options?: CallOptions): Promise<EventType>;
  /**
   * Creates or changes one event type for each of the `webhooks` of an OpenAPI document.
   *
   * @param dryRun tells what would change, and changes nothing
   */
  importOpenapi(
    openapi: Record<string, unknown>,
    dryRun?: boolean,
    options?: CallOptions,
  ): Promise<EventTypeImportResult>;
  /** The event types in use as an OpenAPI document with one webhook for each. */
  document(options?: CallOptions): Promise<EventTypesDocument>;
}

/** Makes the calls about event types. */
export function createEventTypes({ api, call }: Transport): EventTypes {
  const path = '/api/v1/event-types' as const;
  const one = `${path}/{name}` as const;
  const of = (name: string) => ({ path: { name: segment(name) } });
  return {
    put: async (name, body = {}, options) => call(options, (how) => api.PUT(one, { params: of(name), body, ...how })),
    get: async (name, version, options) => {
      const query = version === undefined ? {} : { version: String(version) };
      return call(options, (how) => api.GET(one, { params: { ...of(name), query }, ...how }));
    },
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(path, { params: { query: at }, ...how })),
        ({ event_types: types }) => types,
      ),
    archive: async (name, options) => call(options, (how) => api.DELETE(one, { params: of(name), ...how })),
    importOpenapi: async (openapi, dryRun = false, options) =>
      call(options, (how) => api.POST(`${path}/import`, { body: { openapi, dry_run: dryRun }, ...how })),
    document: async (options) => call(options, (how) => api.GET(`${path}/openapi.json`, { ...how })),
  };
}
