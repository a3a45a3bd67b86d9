import type { BodyShape } from '../domain/body-form';
import type { ErrorDetail } from '../domain/errors';
import type { StoredOptions } from '../stores/endpoint-store';

/** The parts of an endpoint that decide what it gets. They have no secret. */
export interface RehearsedEndpoint {
  readonly events: readonly string[];
  readonly options: Pick<StoredOptions, 'filter' | 'body' | 'include' | 'exclude' | 'max_per_second'>;
}

/** A change of an endpoint. */
export interface EndpointRehearsal {
  readonly kind: 'endpoint';
  readonly accountId: string;
  /** The shape of bodies of endpoints without their own. */
  readonly defaultBody: BodyShape | undefined;
  /** Undefined for an endpoint that does not exist yet. */
  readonly before: RehearsedEndpoint | undefined;
  readonly after: RehearsedEndpoint;
}

/** A schema for an event type. */
export interface SchemaRehearsal {
  readonly kind: 'event_type';
  readonly name: string;
  /** As JSON. */
  readonly schema: string;
}

/** A change that is rehearsed. */
export type RehearsedChange = EndpointRehearsal | SchemaRehearsal;

/** A stored event. */
export interface RehearsedEvent {
  readonly id: number;
  readonly type: string;
  /** Unix seconds of its acceptance. */
  readonly timestamp: number;
  /** The bytes of its `data`. */
  readonly data: Uint8Array;
}

/** How many events go to an endpoint before and after a change. */
export interface Counts {
  readonly before: number;
  readonly after: number;
}

/** The bodies of an event's delivery before and after a change; null where the endpoint does not get the event. */
export interface BodyPair {
  readonly event_id: number;
  readonly type: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly content_type_before: string | null;
  readonly content_type_after: string | null;
}

/** Bodies by what the change does to them; at most `MAX_BODIES` of each. */
export interface BodyPairs {
  readonly changed: readonly BodyPair[];
  /** Those that only one of the two endpoints gets. */
  readonly moved: readonly BodyPair[];
  readonly same: readonly BodyPair[];
}

/** What a schema refuses at a path. */
export interface RefusedPath {
  readonly path: string;
  readonly message: string;
  /** How many events it refuses there. */
  readonly count: number;
  /** The newest of them. */
  readonly event_id: number;
}

/** A page of events to rehearse a change with. */
export interface PageQuestion<Change extends RehearsedChange = RehearsedChange> {
  readonly change: Change;
  /** The newest first. */
  readonly events: readonly RehearsedEvent[];
}

/** What a change of an endpoint does to a page of events. */
export interface MatchedPage {
  readonly kind: 'endpoint';
  /** By type. */
  readonly types: readonly (readonly [string, Counts])[];
  /** By the second of acceptance. */
  readonly seconds: readonly (readonly [number, Counts])[];
  readonly bodies: BodyPairs;
}

/** What a schema does to a page of events. */
export interface CheckedPage {
  readonly kind: 'event_type';
  readonly checked: number;
  readonly failed: number;
  readonly paths: readonly RefusedPath[];
}

/** What a change does to a page of events, or why its schema can't be used. */
export type PageAnswer =
  | MatchedPage
  | CheckedPage
  | { readonly kind: 'unusable'; readonly details: readonly ErrorDetail[] };

/** The most events that a rehearsal shows bodies of. */
export const MAX_BODIES = 3;
/** The longest body that it shows, in characters. */
export const MAX_BODY_LENGTH = 16_384;
/** What follows a body that was cut there. */
export const CUT_MARK = '…';
/** The most types, and the most paths of a schema, that a rehearsal names. */
export const MAX_TYPES = 50;
export const MAX_PATHS = 10;
