/**
 * What an ingest does with an event that the catalog of event types doesn't know, or whose data doesn't match the schema
 * of its type: `open` looks at neither, `warn` accepts it and notes what is wrong, `strict` refuses it.
 */
export const EVENT_TYPE_MODES = ['open', 'warn', 'strict'] as const;
export type EventTypeMode = (typeof EVENT_TYPE_MODES)[number];
