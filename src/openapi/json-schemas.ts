import { z } from 'zod';

/** A JSON object of the OpenAPI document. */
export type Json = Record<string, unknown>;

/** Schemas as the OpenAPI document has them. */
export interface JsonSchemas {
  /** One of the schemas that were given, as it is written at its place. */
  of(schema: z.ZodType): Json;
  /** Every schema with an `id` that they need, by that name: `components.schemas`. */
  readonly components: Readonly<Record<string, Json>>;
}

/**
 * Makes JSON Schemas, all of them at once: each that has an `id` (`.meta({ id })`) is written once, and referred to.
 *
 * @param io `input` for what callers send, `output` for what they are answered
 */
export function jsonSchemas(schemas: readonly z.ZodType[], io: 'input' | 'output'): JsonSchemas {
  const all = z.toJSONSchema(z.tuple(schemas as [z.ZodType]), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // zod adds a long pattern beside the format.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // The bounds of every JavaScript integer say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // An answer may get more fields, which must not break callers that validate it.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const { prefixItems = [], $defs = {} } = JSON.parse(
    JSON.stringify(all).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { prefixItems?: Json[]; $defs?: Record<string, Json> };
  const places = new Map(schemas.map((schema, index) => [schema, prefixItems[index]!]));
  return { of: (schema) => places.get(schema)!, components: $defs };
}
