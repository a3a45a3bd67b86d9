import { scanJson, type RawSlice } from './raw-json';

/** The most search fields of an account: each is an index entry for every event that has it. */
export const MAX_SEARCH_FIELDS = 3;

/** A name of a search field: a top-level field of `data`. It has no ":", which ends it in a search value. */
export const SEARCH_FIELD_PATTERN = '^[A-Za-z0-9_-]{1,64}$';

/** The same for a search value, `<field>:<value>`. */
export const SEARCH_VALUE_PATTERN = '^[A-Za-z0-9_-]{1,64}:[\\s\\S]{1,255}$';

/** A longer value can't be searched for. The limit is that of an idempotency key. */
const MAX_VALUE_LENGTH = 255;

const UTF8 = new TextDecoder();

const FIRST_OF_STRING = '"';
/** The first characters of what has no value to search for: an object, a list, null. */
const FIRST_OF_OTHERS = new Set(['{', '[', 'n']);

/**
 * The values by which an event is found: `customer_id:cus_123`, at most one for each field.
 *
 * Only strings, numbers and booleans count. A number is written as it was sent, because a parser would change large ones.
 * If a field appears twice, the last one counts, as in a parser.
 *
 * @param fields the account's search fields
 * @param data UTF-8 JSON, the caller's bytes
 */
export function searchValuesOf(fields: readonly string[], data: Uint8Array): string[] {
  if (fields.length === 0) return [];
  const found = new Map<string, string>();
  for (const { name, ...slice } of scanJson(data).members) {
    if (!fields.includes(name)) continue;
    const value = scalarOf(data, slice);
    if (value === undefined) found.delete(name);
    else found.set(name, value);
  }
  return [...found].map(([field, value]) => searchValue(field, value));
}

/** The search value of a field. */
export function searchValue(field: string, value: string): string {
  return `${field}:${value}`;
}

/** The field and the value of a search value. */
export function splitSearchValue(text: string): { readonly field: string; readonly value: string } {
  const at = text.indexOf(':');
  return { field: text.slice(0, at), value: text.slice(at + 1) };
}

/** The text of a string, a number or a boolean; undefined for anything else, and for a text that is empty or too long. */
function scalarOf(data: Uint8Array, { start, end }: RawSlice): string | undefined {
  const text = UTF8.decode(data.subarray(start, end));
  const first = text.charAt(0);
  if (FIRST_OF_OTHERS.has(first)) return undefined;
  const value = first === FIRST_OF_STRING ? (JSON.parse(text) as string) : text;
  return value.length > 0 && value.length <= MAX_VALUE_LENGTH ? value : undefined;
}

/** What is wrong with a value whose field is not a search field, and which fields the account has. */
export function aboutUnknownField(field: string, known: readonly string[]): { message: string; which: string } {
  return {
    message: `is about "${field}", which is not a search field of this account`,
    which: known.length === 0 ? 'It has none.' : `Its search fields: ${known.join(', ')}.`,
  };
}
