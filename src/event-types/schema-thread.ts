import { answerQuestions } from '../platform/answer-questions';
import { compileSchema, UnusableSchemaError, type CheckData, type SchemaError } from './compile-schema';

/** A value to check. */
export interface SchemaQuestion {
  /** The schema as JSON. */
  readonly schema: string;
  /** The value as JSON; absent to compile the schema only. */
  readonly data?: string;
}

/** What is wrong with the value, or why the schema can't be used. */
export type SchemaAnswer =
  | { readonly errors: readonly SchemaError[]; readonly tookMs: number }
  | { readonly unusable: readonly SchemaError[] };

/** The compiled schemas by their text, the least recently used first. */
const compiled = new Map<string, CheckData>();
/** As many as an installation has types. */
const MAX_COMPILED = 1000;

function checkOf(schema: string): CheckData {
  const check = compiled.get(schema) ?? compileSchema(JSON.parse(schema) as Record<string, unknown>);
  compiled.delete(schema);
  compiled.set(schema, check);
  const [oldest] = compiled.keys();
  if (compiled.size > MAX_COMPILED) compiled.delete(oldest!);
  return check;
}

answerQuestions(({ schema, data }: SchemaQuestion): SchemaAnswer => {
  try {
    const check = checkOf(schema);
    const beganMs = performance.now();
    const errors = data === undefined ? [] : check(JSON.parse(data));
    return { errors, tookMs: performance.now() - beganMs };
  } catch (error) {
    if (error instanceof UnusableSchemaError) return { unusable: error.details };
    return { unusable: [{ path: 'schema', message: error instanceof Error ? error.message : String(error) }] };
  }
});
