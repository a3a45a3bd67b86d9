import { z } from 'zod';
import { EVENT_TYPE_MODES, type EventTypeMode } from './domain/event-type-modes';
import { duration } from './parse-settings';

/** The settings of the checks against the catalog of event types. */
export const eventTypeSettings = {
  mode: z.enum(EVENT_TYPE_MODES).default('open'),
  timeout: duration('10ms', '2s').prefault('500ms'),
};

/** The checks that the settings ask for. */
export function eventTypesOf(value: { readonly EVENT_TYPES: EventTypeMode; readonly EVENT_TYPES_TIMEOUT: number }): {
  /** Of accounts without their own. */
  readonly mode: EventTypeMode;
  /** How long the check of one event may take. */
  readonly timeoutMs: number;
} {
  return { mode: value.EVENT_TYPES, timeoutMs: value.EVENT_TYPES_TIMEOUT };
}
