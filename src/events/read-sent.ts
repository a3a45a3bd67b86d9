import { accountSuspended } from '../domain/account-suspended';
import type { HttpContext, RequestCaller } from '../http/request-state';
import type { Limiter } from '../limits/limiter';

/** What reading an event needs. */
export interface ReadSentDeps {
  /** The account's counters and settings now; null for an unknown account. */
  readonly readUsage: Limiter['read'];
}

/**
 * Reads the event of a request. The rest of a body may take half a minute: endpoints may have changed by then, and claims
 * last from then on.
 *
 * @param read reads the body
 * @returns the event, and the caller as of when it was here
 * @throws ForbiddenError when the account was suspended meanwhile
 */
export async function readSent<Sent>(
  { readUsage }: ReadSentDeps,
  { req, state }: Pick<HttpContext, 'req' | 'state'>,
  read: () => Promise<Sent>,
): Promise<{ readonly sent: Sent; readonly caller: RequestCaller }> {
  const isHere = req.complete;
  const sent = await read();
  const usage = isHere ? null : await readUsage(state.caller.accountId);
  if (usage?.isSuspended) throw accountSuspended();
  if (!usage) return { sent, caller: state.caller };
  const { endpointsVersion, searchFields, now } = usage;
  return { sent, caller: { ...state.caller, endpointsVersion, searchFields, now } };
}
