import type { SchemaError } from './compile-schema';
import type { SchemaAnswer, SchemaQuestion } from './schema-thread';

/**
 * Asks the thread that checks schemas: `createLimitedThread` with the file `schema-thread`. Rejects if the answer takes
 * too long, or too much memory.
 */
export type AskSchemaThread = (question: SchemaQuestion) => Promise<SchemaAnswer>;

/** What a check of a new schema found. */
export type SchemaVerdict =
  | { readonly is: 'ok' }
  /** The schema can't be used: why, at paths that begin with `schema`. */
  | { readonly is: 'invalid'; readonly details: readonly SchemaError[] }
  /** The example doesn't match the schema: where, at paths that begin with `data`. */
  | { readonly is: 'mismatch'; readonly details: readonly SchemaError[] };

/**
 * Compiles a schema that someone wants to keep, and checks the example against it, both in the thread.
 *
 * @param schema JSON of an object
 * @param example JSON, or null if there is none
 * @returns also `invalid` for a schema that takes longer than the thread's limit, or more than its memory
 */
export async function checkSchema(
  ask: AskSchemaThread,
  schema: string,
  example: string | null,
): Promise<SchemaVerdict> {
  const answer = await ask(example === null ? { schema } : { schema, data: example }).catch(() => TOO_COSTLY);
  if ('unusable' in answer) return { is: 'invalid', details: answer.unusable };
  return answer.errors.length === 0 ? { is: 'ok' } : { is: 'mismatch', details: answer.errors };
}

const TOO_COSTLY: SchemaAnswer = {
  unusable: [{ path: 'schema', message: 'takes too long to compile, or to check the example' }],
};
