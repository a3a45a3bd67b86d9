import { z } from 'zod';
import { OPEN_ENUM } from '../http/open-enum';

/** A JSON object of the OpenAPI document. */
export type Json = Record<string, unknown>;

/** Schemas in the form of the OpenAPI document. */
export interface JsonSchemas {
  /** One of the given schemas, as it is written in its place. */
  of(schema: z.ZodType): Json;
  /** Every schema with an `id` that they need, by that name: `components.schemas`. */
  readonly components: Readonly<Record<string, Json>>;
}

/**
 * Converts schemas to JSON Schema, all at once: each one with an `id` (`.meta({ id })`) is written once, and referred
 * to.
 *
 * @param io `input` for requests, `output` for answers
 */
export function jsonSchemas(schemas: readonly z.ZodType[], io: 'input' | 'output'): JsonSchemas {
  const all = z.toJSONSchema(z.tuple(schemas as [z.ZodType]), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // zod adds a long pattern to the format.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // The limits of JavaScript integers say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // An answer may gain fields, which must not break callers that validate it.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (OPEN_ENUM in jsonSchema) delete jsonSchema.enum;
      simplifyNullable(jsonSchema);
    },
  });
  const { prefixItems = [], $defs = {} } = JSON.parse(
    JSON.stringify(all).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { prefixItems?: Json[]; $defs?: Record<string, Json> };
  const places = new Map(schemas.map((schema, index) => [schema, prefixItems[index]!]));
  return { of: (schema) => places.get(schema)!, components: $defs };
}

/**
 * Writes a nullable schema the way that generators of clients understand: `type: [T, 'null']`, or `oneOf` where it refers to
 * another one. From zod's `anyOf` openapi-generator makes a class for each place, and for Python it stops with an error.
 */
function simplifyNullable(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (!isSchema(value) || !isSchema(none) || none.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  if (typeof value.type !== 'string' || value.enum || value.const !== undefined) schema.oneOf = [value, none];
  else Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
}

function isSchema(schema: z.core.JSONSchema._JSONSchema | undefined): schema is z.core.JSONSchema.JSONSchema {
  return typeof schema === 'object';
}
