import { accountSuspended } from '../domain/account-suspended';
import type { Limiter } from '../limits/limiter';
import type { Caller } from './new-event';

/** What reading an event needs. */
export interface ReadSentDeps {
  /** The account's counters and settings now; null for an unknown account. */
  readonly readUsage: Limiter['read'];
}

/**
 * Reads an event that a caller sends. The rest of its body may take half a minute: endpoints may have changed by then,
 * and claims last from then on.
 *
 * @param sender `isHere`: the body had arrived when the caller was admitted
 * @returns the event, and the caller as of when it was here
 * @throws ForbiddenError when the account was suspended meanwhile
 */
export async function readSent<Sent, From extends Caller>(
  { readUsage }: ReadSentDeps,
  { isHere, caller }: { readonly isHere: boolean; readonly caller: From },
  read: () => Promise<Sent>,
): Promise<{ readonly sent: Sent; readonly caller: From }> {
  const sent = await read();
  const usage = isHere ? null : await readUsage(caller.accountId);
  if (usage?.isSuspended) throw accountSuspended();
  if (!usage) return { sent, caller };
  const { endpointsVersion, searchFields, defaultBody, eventTypes, retentionDays, now } = usage;
  const settings = { endpointsVersion, searchFields, defaultBody, eventTypes, retentionDays, now };
  return { sent, caller: { ...caller, ...settings } };
}
