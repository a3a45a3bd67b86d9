import { compileSchema, UnusableSchemaError, type CheckData } from '../event-types/compile-schema';
import type { CheckedPage, PageAnswer, RefusedPath, RehearsedEvent, SchemaRehearsal } from './rehearsal-contract';

/** The newest schema, because a rehearsal asks page after page about one. */
let compiled: { readonly schema: string; readonly check: CheckData } | undefined;

/** Checks the data of a page of events against a schema. */
export function checkPage({ schema }: SchemaRehearsal, events: readonly RehearsedEvent[]): PageAnswer {
  try {
    if (compiled?.schema !== schema) {
      compiled = { schema, check: compileSchema(JSON.parse(schema) as Record<string, unknown>) };
    }
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw error;
    return { kind: 'unusable', details: error.details };
  }
  return checked(compiled.check, events);
}

function checked(check: CheckData, events: readonly RehearsedEvent[]): CheckedPage {
  const paths = new Map<string, RefusedPath>();
  let failed = 0;
  for (const { id, data } of events) {
    const errors = check(JSON.parse(Buffer.from(data).toString('utf8')));
    if (errors.length > 0) failed += 1;
    for (const { path, message } of errors) {
      const key = `${path}\n${message}`;
      const known = paths.get(key);
      paths.set(key, { path, message, count: (known?.count ?? 0) + 1, event_id: known?.event_id ?? id });
    }
  }
  return { kind: 'event_type', checked: events.length, failed, paths: [...paths.values()] };
}
