import type { z } from 'zod';
import type { EventType, ListedEventType } from './event-type-store';
import type { eventTypeView, listedEventTypeView } from './schema';

/** An event type as the API shows it. */
export function presentEventType(type: Omit<EventType, 'revision'>): z.output<typeof eventTypeView> {
  return { ...commonOf(type), schema: parsed(type.schema), example: parsed(type.example) };
}

/** An event type in a list. */
export function presentListed(type: ListedEventType): z.output<typeof listedEventTypeView> {
  return { ...commonOf(type), has_schema: type.has_schema };
}

function commonOf(type: Omit<EventType, 'revision' | 'schema' | 'example'>) {
  return {
    name: type._id,
    description: type.description ?? null,
    group: type.group ?? null,
    deprecated: type.deprecated,
    archived: type.archived,
    version: type.version,
    created_at: type.created_at.toISOString(),
    updated_at: type.updated_at.toISOString(),
  };
}

function parsed(json: string | undefined): Record<string, unknown> | null {
  return json === undefined ? null : (JSON.parse(json) as Record<string, unknown>);
}
