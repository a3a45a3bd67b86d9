/** A JSON Schema, of which nothing is known. */
export type Schema = Readonly<Record<string, unknown>>;

/** How many `$ref`s and parts of `allOf` are followed for one field. */
const MAX_REFERENCES = 32;

/** A schema with its local `$ref`s and its `allOf` merged into it, and the schemas that were read for it. */
export function resolve(start: Schema, root: Schema): { readonly schema: Schema; readonly seen: readonly Schema[] } {
  const seen: Schema[] = [];
  let merged: Schema = {};
  const open: Schema[] = [start];
  while (open.length > 0 && seen.length < MAX_REFERENCES) {
    const schema = open.shift()!;
    if (seen.includes(schema)) continue;
    seen.push(schema);
    merged = merge(merged, schema);
    const target = typeof schema['$ref'] === 'string' ? pointedAt(schema['$ref'], root) : undefined;
    if (target) open.push(target);
    open.push(...listOf(schema['allOf']).filter(isSchema));
  }
  return { schema: merged, seen };
}

/** What the schema that refers says wins over what it refers to; members and required names add up. */
function merge(first: Schema, second: Schema): Schema {
  return {
    ...second,
    ...first,
    ...(isSchema(first['properties']) &&
      isSchema(second['properties']) && { properties: { ...second['properties'], ...first['properties'] } }),
    ...(Array.isArray(first['required']) &&
      Array.isArray(second['required']) && { required: [...first['required'], ...second['required']] }),
  };
}

/** What a reference inside the document names: `#`, `#/$defs/address`, or `#address` of an `$anchor` in `$defs`. */
function pointedAt(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const text = decoded(reference.slice(1));
  if (text !== '' && !text.startsWith('/')) {
    const anchored = members(root['$defs']).find(([, one]) => isSchema(one) && one['$anchor'] === text)?.[1];
    return isSchema(anchored) ? anchored : undefined;
  }
  let found: unknown = root;
  for (const part of text.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Schema)[key];
  }
  return isSchema(found) ? found : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether it can have keywords: a schema that is `true` or `false` has none. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; none of anything else. */
export function members(value: unknown): [string, unknown][] {
  return isSchema(value) ? Object.entries(value) : [];
}

/** The items of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
