import { z } from 'zod';
import { EVENT_TYPE_PATTERN, isEventType, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';
import type { PathParam } from '../http/route';
import { eventTypeNotFound, readNewName } from './event-type-name';

const schema = z.string().max(MAX_EVENT_TYPE_LENGTH).meta({
  description: 'The event type. Write a `/` in it as `%2F`.',
  example: 'order.created',
  pattern: EVENT_TYPE_PATTERN,
});

/** The path of one event type. */
export const eventTypeParams = {
  name: {
    schema,
    read(text) {
      if (!isEventType(text)) throw eventTypeNotFound(text);
      return text;
    },
  },
} as const satisfies Record<string, PathParam<string>>;

/** The path of an event type that may not exist yet. */
export const newEventTypeParams = {
  name: { schema, read: readNewName },
} as const satisfies Record<string, PathParam<string>>;
