/**
 * The key of a schema's metadata for values that a release may add to. The OpenAPI document has the known values under
 * this key, in place of `enum`: clients that are generated from a closed `enum` fail at a new value.
 */
export const OPEN_ENUM = 'x-extensible-enum';
