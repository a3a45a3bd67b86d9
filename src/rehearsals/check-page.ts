import { shortenedPath } from '../domain/errors';
import { compileSchema, type CheckData } from '../event-types/compile-schema';
import type { CheckedPage, PageAnswer, RefusedPath, RehearsedEvent, SchemaRehearsal } from './rehearsal-contract';

/** The newest schema, because a rehearsal asks page after page about one. */
let compiled: { readonly schema: string; readonly check: CheckData } | undefined;

const MAX_MESSAGE_LENGTH = 300;

/** Checks the data of a page of events against a schema. */
export function checkPage({ schema }: SchemaRehearsal, events: readonly RehearsedEvent[]): PageAnswer {
  try {
    if (compiled?.schema !== schema) compiled = { schema, check: compileSchema(JSON.parse(schema) as object) };
  } catch (error) {
    return { kind: 'unusable', message: error instanceof Error ? error.message : String(error) };
  }
  return checked(compiled.check, events);
}

function checked(check: CheckData, events: readonly RehearsedEvent[]): CheckedPage {
  const paths = new Map<string, RefusedPath>();
  let failed = 0;
  for (const { id, data } of events) {
    const errors = check(JSON.parse(Buffer.from(data).toString('utf8')));
    if (errors.length > 0) failed += 1;
    for (const error of errors) {
      // Tenants choose the names in a path, and the values in a message.
      const [path, message] = [shortenedPath(error.path), error.message.slice(0, MAX_MESSAGE_LENGTH)];
      const key = `${path}\n${message}`;
      const known = paths.get(key);
      paths.set(key, { path, message, count: (known?.count ?? 0) + 1, event_id: known?.event_id ?? id });
    }
  }
  return { kind: 'event_type', checked: events.length, failed, paths: [...paths.values()] };
}
