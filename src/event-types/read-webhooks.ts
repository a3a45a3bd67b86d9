import { UnprocessableError } from '../domain/errors';
import type { PutEventTypeBody } from './schema';

/** A webhook of an OpenAPI document as an event type: what the document does not say is absent. */
export type EventTypeOfWebhook = Omit<PutEventTypeBody, 'archived'>;

type Json = Readonly<Record<string, unknown>>;

/** More values than a schema of the largest size has: shared parts are copied for each webhook. */
const MAX_VALUES = 32 * 1024;

const METHODS = ['post', 'put', 'patch'];

/**
 * Reads a webhook of an OpenAPI document (3.1) as an event type. The schema is that of the body; of an envelope, which
 * names its type beside its `data`, it is that of `data`. What it refers to in the document is copied into its `$defs`.
 *
 * @throws UnprocessableError for a schema that becomes too large
 */
export function readWebhook(document: Json, name: string): EventTypeOfWebhook {
  const item = resolved(document, objectOf(document['webhooks'])[name]);
  const operation = objectOf(METHODS.map((method) => item[method]).find(isObject));
  const media = mediaOf(document, operation);
  const whole = isObject(media['schema']) ? resolved(document, media['schema']) : undefined;
  const example = exampleOf(document, media);
  const inside = whole && dataOf(document, name, whole);
  return {
    ...describedBy(operation),
    ...(whole && !saysNothing(inside ?? whole) && { schema: bundle(document, inside ?? objectOf(media['schema'])) }),
    ...(example && { example: inside && isObject(example['data']) ? example['data'] : example }),
  };
}

function describedBy(operation: Json): Omit<EventTypeOfWebhook, 'schema' | 'example'> {
  const { description, summary, tags, deprecated } = operation;
  const text = [description, summary].find((it): it is string => typeof it === 'string' && it !== '');
  const group = Array.isArray(tags)
    ? (tags as unknown[]).find((tag): tag is string => typeof tag === 'string')
    : undefined;
  return {
    ...(text !== undefined && { description: text }),
    ...(group !== undefined && { group }),
    ...(typeof deprecated === 'boolean' && { deprecated }),
  };
}

/** The body's description, of JSON if there are several. */
function mediaOf(document: Json, operation: Json): Json {
  const content = objectOf(resolved(document, operation['requestBody'])['content']);
  const [first] = Object.values(content);
  return objectOf(content['application/json'] ?? first);
}

function exampleOf(document: Json, { example, examples, schema }: Json): Json | undefined {
  const [first] = Object.values(objectOf(examples)).map((it) => resolved(document, it)['value']);
  const { example: ofSchema, examples: list } = isObject(schema) ? resolved(document, schema) : {};
  const candidates = [example, first, ofSchema, ...(Array.isArray(list) ? (list as unknown[]) : [])];
  return candidates.find(isObject);
}

/** The schema of `data` in the schema of an envelope; undefined for another body. */
function dataOf(document: Json, name: string, schema: Json): Json | undefined {
  const { type, data } = objectOf(schema['properties']);
  if (!isObject(type) || !isObject(data)) return undefined;
  const { const: value, enum: values } = resolved(document, type);
  const isNamed = value === name || (Array.isArray(values) && values.length === 1 && values[0] === name);
  return isNamed ? data : undefined;
}

/** `data` is always an object. */
function saysNothing({ type, ...others }: Json): boolean {
  return type === 'object' && Object.keys(others).length === 0;
}

/** A schema with everything in its `$defs` that it refers to in the document. */
function bundle(document: Json, schema: Json): Record<string, unknown> {
  const names = new Map<string, string>();
  const defs: Record<string, unknown> = {};
  const nameOf = (pointer: string): string => {
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const last =
      pointer
        .split('/')
        .at(-1)!
        .replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'schema';
    const taken = new Set(names.values());
    let name = last;
    for (let count = 2; taken.has(name); count += 1) name = `${last}_${count}`;
    names.set(pointer, name);
    defs[name] = rewritten(find(document, pointer));
    return name;
  };
  let left = MAX_VALUES;
  const rewritten = (value: unknown): unknown => {
    left -= 1;
    if (left < 0) throw new UnprocessableError('The schema is too large with all that it refers to.', 'invalid_schema');
    if (Array.isArray(value)) return value.map(rewritten);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, it]) => [
        key,
        key === '$ref' && isFound(document, it) ? refTo(nameOf(it)) : rewritten(it),
      ]),
    );
  };
  const { $ref: ref, ...others } = schema;
  // A schema that is only a reference is what it refers to.
  const whole = Object.keys(others).length === 0 && isFound(document, ref) ? objectOf(find(document, ref)) : schema;
  const body = rewritten(whole) as Record<string, unknown>;
  return Object.keys(defs).length === 0 ? body : { ...body, $defs: { ...objectOf(body['$defs']), ...defs } };
}

function refTo(name: string): string {
  return `#/$defs/${name}`;
}

/** Whether the value is a pointer to something in the document (RFC 6901). */
function isFound(document: Json, ref: unknown): ref is string {
  return typeof ref === 'string' && ref.startsWith('#/') && find(document, ref) !== undefined;
}

/** What a pointer such as `#/components/schemas/Order` refers to. */
function find(document: Json, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponentSafely(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, part) =>
        (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, part) ? (value as Json)[part] : undefined,
      document,
    );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The most references that lead to one another. */
const MAX_HOPS = 20;

/** An object of the document, or what it refers to. */
function resolved(document: Json, value: unknown, hops = MAX_HOPS): Json {
  const object = objectOf(value);
  const { $ref: ref } = object;
  if (hops === 0 || !isFound(document, ref)) return object;
  return resolved(document, find(document, ref), hops - 1);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
