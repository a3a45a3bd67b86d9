import type { HttpContext } from './request-state';

/** The request header that names the account for which a management key acts. */
export const ACCOUNT_HEADER = 'Everpost-Account';

/** The account that a request names: its id, or its `external_id`. Undefined if it names none. */
export function accountHeader(ctx: HttpContext): string | undefined {
  return ctx.get(ACCOUNT_HEADER).trim() || undefined;
}
