import { answerQuestions } from '../platform/answer-questions';
import { compileSchema, type CheckData, type SchemaError } from './compile-schema';

/** A value to check. */
export interface SchemaQuestion {
  /** Names the schema: the same key means the same schema. */
  readonly key: string;
  /** The schema as JSON. */
  readonly schema: string;
  /** The value as JSON; absent to compile the schema only. */
  readonly data?: string;
}

/** What is wrong with the value, or why the schema can't be used. */
export type SchemaAnswer = { readonly errors: readonly SchemaError[] } | { readonly unusable: string };

/** The compiled schemas, the least recently used first. */
const compiled = new Map<string, CheckData>();
/** As many as an installation has types. */
const MAX_COMPILED = 1000;

answerQuestions(({ key, schema, data }: SchemaQuestion): SchemaAnswer => {
  try {
    const check = compiled.get(key) ?? compileSchema(JSON.parse(schema) as object);
    compiled.delete(key);
    compiled.set(key, check);
    const [oldest] = compiled.keys();
    if (compiled.size > MAX_COMPILED) compiled.delete(oldest!);
    return { errors: data === undefined ? [] : check(JSON.parse(data)) };
  } catch (error) {
    return { unusable: error instanceof Error ? error.message : String(error) };
  }
});
