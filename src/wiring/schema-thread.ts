import { join } from 'node:path';
import type { SchemaAnswer, SchemaQuestion } from '../event-types/schema-thread';
import { createLimitedThread, type LimitedThread } from '../platform/limited-thread';

/**
 * A thread that compiles schemas and checks data. It starts with the first question.
 *
 * @param timeoutMs for one question, so that a schema is refused in the catalog that no ingest would wait for
 */
export function createSchemaThread(timeoutMs: number): LimitedThread<SchemaQuestion, SchemaAnswer> {
  return createLimitedThread(join(__dirname, '..', 'event-types', 'schema-thread'), timeoutMs);
}
