import type { z } from 'zod';
import { InvalidRequestError } from '../domain/errors';
import { validate } from './read-body';
import type { HttpContext } from './request-state';

const NAME = 'Idempotency-Key';

/**
 * The idempotency key of a request for one event: the field of its body, or the header that Stripe and the IETF draft
 * (draft-ietf-httpapi-idempotency-key-header) use. The draft puts quotes around it, which are not part of the key.
 *
 * @param headers defines valid keys
 * @returns null if the request has neither
 * @throws InvalidRequestError when the header is not a valid key, is there twice, or differs from the body's
 */
export function idempotencyKeyOf(
  ctx: HttpContext,
  headers: z.ZodType<{ [NAME]?: string | undefined }>,
  inBody: string | undefined,
): string | null {
  const [sent, ...others] = ctx.req.valuesOf(NAME);
  if (sent === undefined) return inBody ?? null;
  if (others.length > 0) throw refusal('must be there once');
  const { [NAME]: inHeader } = validate(headers, { [NAME]: unquoted(sent) }, 'request');
  if (inBody !== undefined && inBody !== inHeader) throw refusal('must be the same key as "idempotency_key"');
  return inHeader!;
}

/**
 * @param why the header can't be used, and what to do instead
 * @throws InvalidRequestError when a request has the header: ignored, it would promise what is not kept
 */
export function refuseIdempotencyHeader(ctx: HttpContext, why: string): void {
  if (ctx.req.valuesOf(NAME).length > 0) throw refusal(why);
}

function unquoted(value: string): string {
  return /^".*"$/.test(value) ? value.slice(1, -1) : value;
}

function refusal(message: string): InvalidRequestError {
  return new InvalidRequestError(`"${NAME}" ${message}.`, 'invalid_request', [{ path: NAME, message }]);
}
