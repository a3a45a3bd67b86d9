import { z } from 'zod';
import { isEventPattern, EVENT_TYPE_RULE } from '../domain/event-pattern';

const MAX_PATTERNS = 50;

/** Query of GET /api/v1/webhooks/listen. */
export const listenQuery = z.strictObject({
  events: z
    .string()
    .default('*')
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(
      z
        .array(
          z.string().refine(isEventPattern, {
            error: `must be patterns with commas between them; a pattern is "*", an event type or "<prefix>.*"; event types are ${EVENT_TYPE_RULE}`,
          }),
        )
        .max(MAX_PATTERNS, `must hold at most ${MAX_PATTERNS} patterns`),
    )
    .meta({ description: 'Patterns of event types, separated by commas; all types by default.' }),
});

/** The data of an event in the stream. */
export interface ListenedEventView {
  readonly id: number;
  readonly type: string;
  /** Unix seconds of the ingest. */
  readonly timestamp: number;
  /** The body of the delivery, character for character: sign and send exactly these bytes. */
  readonly body: string;
}
