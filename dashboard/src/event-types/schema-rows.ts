import { isSchema, listOf, members, resolve, type Schema } from './resolve-schema';
import { cutText, rulesOf, typeOf } from './schema-words';

/** A field of a JSON Schema, as a row of a table. */
export interface SchemaRow {
  /** Where it is, from the root: `customer.emails[]`. Unique in the table. */
  readonly path: string;
  /** Its own name: `emails[]`, `option 2`. */
  readonly name: string;
  /** 0 for the members of the root. */
  readonly depth: number;
  /** `string`, `integer or null`, `array of string`, `one of 2 options`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string | undefined;
  /** What else a value must be: `one of "a", "b"`, `at least 1`, `format email`. */
  readonly rules: readonly string[];
  /** Why its own fields are not listed, though it may have some. */
  readonly cut: 'recursion' | 'depth' | undefined;
}

/** The rows of a schema. */
export interface SchemaTable {
  readonly rows: readonly SchemaRow[];
  /** False when the schema has more fields than are listed. */
  readonly isComplete: boolean;
}

export const MAX_SCHEMA_DEPTH = 8;
export const MAX_SCHEMA_ROWS = 300;

/** What is read, and what was found so far. */
interface Reading {
  readonly root: Schema;
  readonly rows: SchemaRow[];
  isComplete: boolean;
}

/** Where a schema is in the document. */
interface Place {
  readonly path: string;
  readonly depth: number;
  /** The schemas around it: one of them again is a recursion. */
  readonly around: readonly Schema[];
}

/**
 * The fields of a JSON Schema 2020-12 for people: those of `properties`, of `items`, and of the options of `oneOf` and
 * `anyOf`; `allOf` and local `$ref`s are merged into the field that names them. What it can't read, it leaves out.
 *
 * @param root the schema, of any shape: bounded to `MAX_SCHEMA_DEPTH` levels and `MAX_SCHEMA_ROWS` rows
 */
export function schemaRows(root: unknown): SchemaTable {
  if (!isSchema(root)) return { rows: [], isComplete: true };
  const reading: Reading = { root, rows: [], isComplete: true };
  const own = resolve(root, reading.root);
  addFields(reading, own.schema, { path: '', depth: 0, around: own.seen });
  return { rows: reading.rows, isComplete: reading.isComplete };
}

/** Adds the rows of what is inside a schema. */
function addFields(reading: Reading, schema: Schema, place: Place): void {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  for (const [name, field] of members(schema['properties'])) {
    addRow(
      reading,
      { field, name, path: place.path === '' ? name : `${place.path}.${name}` },
      place,
      required.has(name),
    );
  }
  for (const [name, field] of members(schema['patternProperties'])) {
    addRow(reading, { field, name: `/${cutText(name)}/`, path: `${place.path}./${name}/` }, place, false);
  }
  if (isSchema(schema['additionalProperties'])) {
    addRow(
      reading,
      { field: schema['additionalProperties'], name: 'any other', path: `${place.path}.*` },
      place,
      false,
    );
  }
  for (const [index, field] of listOf(schema['prefixItems']).entries()) {
    addRow(reading, { field, name: `[${index}]`, path: `${place.path}[${index}]` }, place, false);
  }
  if (isSchema(schema['items'])) {
    addRow(reading, { field: schema['items'], name: 'each item', path: `${place.path}[]` }, place, false);
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    for (const [index, field] of listOf(schema[keyword]).entries()) {
      const name = titleOf(field, reading.root) ?? `option ${index + 1}`;
      addRow(reading, { field, name, path: `${place.path}(${keyword} ${index + 1})` }, place, false);
    }
  }
}

interface Field {
  readonly field: unknown;
  readonly name: string;
  readonly path: string;
}

function addRow(reading: Reading, { field, name, path }: Field, place: Place, isRequired: boolean): void {
  if (reading.rows.length >= MAX_SCHEMA_ROWS) {
    reading.isComplete = false;
    return;
  }
  const { schema, seen } = resolve(isSchema(field) ? field : {}, reading.root);
  const isRecursive = seen.some((one) => place.around.includes(one));
  const isDeep = place.depth + 1 >= MAX_SCHEMA_DEPTH && hasFields(schema);
  const cut = isRecursive ? 'recursion' : isDeep ? 'depth' : undefined;
  if (cut === 'depth') reading.isComplete = false;
  const title = schema['title'] === name ? undefined : schema['title'];
  const description = schema['description'] ?? title;
  reading.rows.push({
    path,
    name,
    depth: place.depth,
    type: field === false ? 'never' : typeOf(schema, reading.root),
    isRequired,
    isDeprecated: schema['deprecated'] === true,
    description: typeof description === 'string' && description !== '' ? description : undefined,
    rules: rulesOf(schema),
    cut,
  });
  if (cut !== undefined) return;
  addFields(reading, schema, { path, depth: place.depth + 1, around: [...place.around, ...seen] });
}

function hasFields(schema: Schema): boolean {
  return (
    ['properties', 'items', 'additionalProperties'].some((keyword) => isSchema(schema[keyword])) ||
    ['prefixItems', 'oneOf', 'anyOf'].some((keyword) => listOf(schema[keyword]).length > 0)
  );
}

function titleOf(field: unknown, root: Schema): string | undefined {
  const title = isSchema(field) ? resolve(field, root).schema['title'] : undefined;
  return typeof title === 'string' && title !== '' ? title : undefined;
}
