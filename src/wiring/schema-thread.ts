import { join } from 'node:path';
import type { SchemaAnswer, SchemaQuestion } from '../event-types/schema-thread';
import { createLimitedThread, type LimitedThread } from '../platform/limited-thread';

/** For one schema of the catalog with its example. Only who writes the catalog waits for it. */
const LIMIT_MS = 5_000;

/** The thread that compiles the schemas of new event types. It starts with the first one. */
export function createSchemaThread(): LimitedThread<SchemaQuestion, SchemaAnswer> {
  return createLimitedThread(join(__dirname, '..', 'event-types', 'schema-thread'), LIMIT_MS);
}
