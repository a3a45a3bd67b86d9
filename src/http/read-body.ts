import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { firstDetails, InvalidRequestError, type ErrorDetail } from '../domain/errors';
import { jsonErrorAt } from '../domain/json-syntax';
import { countValues, scanJson, type RawScan } from '../domain/raw-json';
import { IncompleteBodyError } from '../platform/incoming-request';
import { PayloadTooLargeError, UnsupportedMediaTypeError } from './http-errors';
import type { HttpContext } from './request-state';

/** The largest request body, and its deepest nesting (docs/spec.md, "Bodies"). */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 256;
/** The largest body of a sign-in. One of this size is read before the application gets the call (docs/strangers.md). */
export const SMALL_BODY_BYTES = 1_536;

/** Finds problems that no schema can express, so that an error lists them with those that the schema finds. */
export type Inspect = (body: unknown) => readonly ErrorDetail[];

/** A validated body, with access to its original bytes. */
export interface ParsedBody<T> {
  readonly value: T;
  /** The exact bytes of a top-level member's value. @throws RangeError when there is no such member */
  raw(name: string): Uint8Array;
}

/** The limits of a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** The most values at all levels, as `countValues` counts; undefined for any number. */
  readonly maxValues?: number;
}

/**
 * Reads, checks and validates a JSON body.
 *
 * @param options `maxBytes`: 256 KiB by default; `inspect`: finds more problems if the schema does not fit
 * @throws UnsupportedMediaTypeError unless it is uncompressed `application/json`
 * @throws PayloadTooLargeError above `maxBytes` or `maxValues`
 * @throws InvalidRequestError for anything that is not UTF-8, not JSON, nested too deeply, has a duplicate member, or
 *   does not fit the schema; `details` names the first 20 problems
 */
export async function readBody<S extends z.ZodType>(
  ctx: HttpContext,
  schema: S,
  { inspect, ...limits }: Partial<BodyLimits> & { readonly inspect?: Inspect } = {},
): Promise<ParsedBody<z.output<S>>> {
  const { bytes, parsed } = await readJson(ctx, { maxBytes: MAX_BODY_BYTES, ...limits });
  return parseValue(schema, bytes, scanJson(bytes), parsed, { inspect });
}

/** The same for an optional body: none is the same as `{}`. */
export async function readOptionalBody<S extends z.ZodType>(
  ctx: HttpContext,
  schema: S,
): Promise<ParsedBody<z.output<S>>> {
  const sent = await readBytes(ctx, MAX_BODY_BYTES);
  const bytes = sent.length === 0 ? Buffer.from('{}') : sent;
  if (sent.length > 0) requireJson(ctx);
  return parseValue(schema, bytes, scanJson(bytes), parseJson(bytes));
}

/** Enough for `{}` with surrounding white space, which is all that is allowed. */
const MAX_NO_BODY_BYTES = 1_024;

/**
 * Reads the body of a request that must not have one: `{}` counts as none, because some clients always send it.
 *
 * @throws InvalidRequestError for any other body
 */
export async function requireNoBody(ctx: HttpContext): Promise<void> {
  if (!ctx.req.hasBody()) return;
  const bytes = await readBytes(ctx, MAX_NO_BODY_BYTES).catch((error: unknown) => {
    if (error instanceof PayloadTooLargeError) return undefined;
    throw error;
  });
  if (bytes && /^\s*(\{\s*\})?\s*$/.test(bytes.toString('latin1'))) return;
  throw new InvalidRequestError('This operation takes no body: send none, or {}.', 'unexpected_body');
}

/** A body that is valid JSON but not validated yet. */
export interface JsonBody {
  readonly bytes: Buffer;
  readonly parsed: unknown;
}

/**
 * Reads a JSON body.
 *
 * @throws UnsupportedMediaTypeError unless it is uncompressed `application/json`
 * @throws PayloadTooLargeError when it exceeds a limit; it is not parsed then
 * @throws InvalidRequestError for anything that is not UTF-8 or not JSON
 */
export async function readJson(ctx: HttpContext, { maxBytes, maxValues }: BodyLimits): Promise<JsonBody> {
  requireJson(ctx);
  const bytes = await readBytes(ctx, maxBytes);
  if (maxValues !== undefined && countValues(bytes) > maxValues) {
    throw new PayloadTooLargeError(`The body has more than ${maxValues} values.`, 'payload_too_large');
  }
  return { bytes, parsed: parseJson(bytes) };
}

/**
 * Checks one value of a body: the whole, or an entry of a list in it.
 *
 * @param scan of exactly this value
 * @param what the value is, for messages
 * @throws InvalidRequestError when it is nested too deeply, has a duplicate member, or does not fit the schema
 */
export function parseValue<S extends z.ZodType>(
  schema: S,
  bytes: Buffer,
  { members, depth }: RawScan,
  parsed: unknown,
  { what = 'body', inspect }: { readonly what?: 'body' | 'event'; readonly inspect?: Inspect | undefined } = {},
): ParsedBody<z.output<S>> {
  if (depth > MAX_DEPTH) {
    throw new InvalidRequestError(`The ${what} is nested more than ${MAX_DEPTH} levels deep.`, 'nested_too_deeply');
  }
  refuseDuplicates(
    members.map(({ name }) => name),
    what,
  );
  return {
    value: validate(schema, parsed, what, inspect),
    raw(name) {
      const member = members.find((candidate) => candidate.name === name);
      if (!member) throw new RangeError(`the body has no member ${name}`);
      return bytes.subarray(member.start, member.end);
    },
  };
}

/**
 * Checks a value against its schema.
 *
 * @param where what the value is, for the message
 * @param inspect finds more problems if the schema does not fit
 * @throws InvalidRequestError with the first 20 problems in `details`, and their number in the message
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: 'body' | 'event' | 'query' | 'request' = 'body',
  inspect?: Inspect,
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const found = result.error.issues.flatMap((issue) => detailsOf(issue, value, where));
  const problems = [...found, ...(inspect?.(value) ?? []).filter(({ path }) => !found.some((it) => it.path === path))];
  const details = firstDetails(problems);
  throw new InvalidRequestError(messageOf(details, problems.length, where), 'invalid_request', details);
}

function messageOf([first, ...others]: readonly ErrorDetail[], count: number, where: string): string {
  if (first && count === 1) return `${first.path === '' ? `The ${where}` : `"${first.path}"`} ${first.message}.`;
  const shown = others.length + 1;
  return `The ${where} has ${count} problems; ${count > shown ? `details has the first ${shown}` : 'see details'}.`;
}

function requireJson(ctx: HttpContext): void {
  // A missing body has no type. The next check reports that it is missing.
  if (!ctx.req.hasBody()) return;
  const type = (ctx.get('Content-Type').split(';')[0] ?? '').trim().toLowerCase();
  if (type !== 'application/json') {
    throw new UnsupportedMediaTypeError(
      'Send the body with "Content-Type: application/json".',
      'unsupported_media_type',
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(ctx.get('Content-Type'))?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw new UnsupportedMediaTypeError(
      'Send the body as UTF-8: with "charset=utf-8", or without a charset.',
      'unsupported_media_type',
    );
  }
  const encoding = ctx.get('Content-Encoding').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw new UnsupportedMediaTypeError(
      'Send the body uncompressed, without Content-Encoding.',
      'unsupported_media_type',
    );
  }
}

async function readBytes(ctx: HttpContext, limit: number): Promise<Buffer> {
  try {
    const bytes = await ctx.req.receive(limit);
    if (bytes) return bytes;
  } catch (error) {
    if (!(error instanceof IncompleteBodyError)) throw error;
    throw new InvalidRequestError('The body ended before it was complete.', 'incomplete_body');
  }
  throw tooLarge('The body', limit);
}

/** @param what is too large, for the message */
export function tooLarge(what: string, limit: number): PayloadTooLargeError {
  const shown = limit >= 1_048_576 ? `${limit / 1_048_576} MiB` : `${limit / 1_024} KiB`;
  return new PayloadTooLargeError(`${what} is larger than ${limit} bytes (${shown}).`, 'payload_too_large');
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new InvalidRequestError('The body is not valid UTF-8.', 'invalid_utf8');
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequestError(whyNotJson(text), 'invalid_json');
  }
}

function whyNotJson(text: string): string {
  if (text.trim() === '') return 'The body is empty; send a JSON object.';
  const at = jsonErrorAt(text);
  if (at === text.length) return 'The body is not valid JSON: it ends too early.';
  const code = text.codePointAt(at)!;
  // Some characters are invisible, such as the byte order mark.
  const character = `${JSON.stringify(String.fromCodePoint(code))} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  return `The body is not valid JSON: unexpected ${character} at ${place}.`;
}

function refuseDuplicates(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      const detail = { path: name, message: 'appears more than once' };
      throw new InvalidRequestError(`"${name}" appears more than once in the ${what}.`, 'duplicate_member', [detail]);
    }
    seen.add(name);
  }
}

/** The codes of a missing value: the second is that of a list of words. */
const REQUIRED: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value']);

function detailsOf(issue: z.core.$ZodIssue, value: unknown, where: string): ErrorDetail[] {
  const path = pathOf(issue.path);
  const at = valueAt(value, issue.path);
  if (where === 'query' && Array.isArray(at)) return [{ path, message: 'must be there once' }];
  if (issue.code === 'unrecognized_keys') {
    const what = where === 'query' ? 'parameter' : 'field';
    return issue.keys.map((key) => {
      const place = path === '' ? key : `${path}.${key}`;
      return { path: place, message: place === '' ? `has a ${what} without a name` : `is not a known ${what}` };
    });
  }
  if (at === undefined && REQUIRED.has(issue.code)) return [{ path, message: 'is required' }];
  if (issue.code === 'invalid_type') return [{ path, message: `must be ${article(issue.expected)}` }];
  return [{ path, message: issue.message }];
}

/** `events[0]`, `items[2].quantity` */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<PropertyKey, unknown> | null)?.[part], value);
}

/** JSON's names for zod's types. */
const TYPE_NAMES: Record<string, string> = { record: 'object', int: 'integer' };

function article(expected: string): string {
  const name = TYPE_NAMES[expected] ?? expected;
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}
