import { InvalidRequestError } from '../domain/errors';
import type { HttpContext } from './request-state';

const NAME = 'If-Match';

/** An entity tag, and what is between two of them in a list (RFC 9110, 8.8.3 and 5.6.1). */
const TAG = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
const LIST = new RegExp(`^[\\s,]*${TAG.source}(?:\\s*,[\\s,]*${TAG.source})*[\\s,]*$`);

/**
 * The tags of which the state that the caller wants to change must have one (RFC 9110, 13.1.1). A weak tag is not among
 * them, because the comparison is strong.
 *
 * @returns undefined if any state will do: without the header, and for `*`, which every resource that exists matches
 * @throws InvalidRequestError when the header is not a list of entity tags
 */
export function readIfMatch(ctx: HttpContext): readonly string[] | undefined {
  const lines = ctx.req.valuesOf(NAME);
  if (lines.length === 0) return undefined;
  const sent = lines.join(',').trim();
  if (sent === '*') return undefined;
  if (!LIST.test(sent)) {
    const message = 'must be "*" or entity tags in quotes, as in the header ETag';
    throw new InvalidRequestError(`"${NAME}" ${message}.`, 'invalid_request', [{ path: NAME, message }]);
  }
  return [...sent.matchAll(new RegExp(TAG, 'g'))].filter(([, weak]) => weak === undefined).map(([tag]) => tag);
}
