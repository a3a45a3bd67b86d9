"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.jsonSchemas = jsonSchemas;
const zod_1 = require("zod");
/**
 * Makes JSON Schemas, all of them at once: each that has an `id` (`.meta({ id })`) is written once, and referred to.
 *
 * @param io `input` for what callers send, `output` for what they are answered
 */
function jsonSchemas(schemas, io) {
    const all = zod_1.z.toJSONSchema(zod_1.z.tuple(schemas), {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => {
            // zod adds a long pattern beside the format.
            if (jsonSchema.format === 'date-time')
                delete jsonSchema.pattern;
            // The bounds of every JavaScript integer say nothing.
            if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER)
                delete jsonSchema.minimum;
            if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER)
                delete jsonSchema.maximum;
            // An answer may get more fields, which must not break callers that validate it.
            if (io === 'output' && jsonSchema.additionalProperties === false)
                delete jsonSchema.additionalProperties;
        },
    });
    const { prefixItems = [], $defs = {} } = JSON.parse(JSON.stringify(all).replaceAll('"#/$defs/', '"#/components/schemas/'));
    const places = new Map(schemas.map((schema, index) => [schema, prefixItems[index]]));
    return { of: (schema) => places.get(schema), components: $defs };
}
//# sourceMappingURL=json-schemas.js.map