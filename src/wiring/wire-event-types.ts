import type { Config } from '../config';
import type { AskSchemaThread } from '../event-types/check-schema';
import { createCheckEvents, type CheckEvents } from '../event-types/check-events';
import type { EventTypeStore } from '../event-types/event-type-store';
import { followCatalog } from '../event-types/follow-catalog';
import { createSchemaErrorLog } from '../event-types/schema-error-log';
import type { SchemaErrorStore } from '../event-types/schema-error-store';
import type { IngestDeps } from '../events/ingest-event';
import { systemClock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createSchemaThread } from './schema-thread';

/**
 * The checks of ingests, with the catalog in memory and a thread of their own, and the thread for new schemas. Each starts
 * when it is first needed.
 */
export function wireEventTypes(
  { eventTypes: { mode, timeoutMs } }: Config,
  deps: { readonly eventTypes: EventTypeStore; readonly schemaErrors: SchemaErrorStore; readonly logger: Logger },
): {
  readonly checkEvents: CheckEvents;
  readonly askSchemaThread: AskSchemaThread;
  readonly onSchemaErrors: NonNullable<IngestDeps['onSchemaErrors']>;
  close(): Promise<void>;
} {
  const thread = createSchemaThread(timeoutMs);
  // Apart, so that no change of the catalog keeps an ingest waiting.
  const newSchemas = createSchemaThread(timeoutMs);
  const eventCatalog = followCatalog(deps);
  const errors = createSchemaErrorLog(deps);
  return {
    checkEvents: createCheckEvents({ catalog: eventCatalog, ask: thread.ask, mode, clock: systemClock }),
    askSchemaThread: newSchemas.ask,
    onSchemaErrors: errors.note,
    close: async () => {
      await Promise.all([thread.close(), newSchemas.close(), eventCatalog.close(), errors.close()]);
    },
  };
}
