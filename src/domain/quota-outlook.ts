/** What becomes of a monthly quota if the calls go on as in this month so far. */
export type QuotaOutlook =
  /** No quota. */
  | { readonly state: 'unlimited' }
  | { readonly state: 'used_up' }
  /** Too little has happened to say. */
  | { readonly state: 'unknown' }
  /** Some of it is left when the month ends. */
  | { readonly state: 'enough' }
  /** It is used up before the month ends. */
  | { readonly state: 'runs_out'; readonly at: Date };

/** Shorter than this, one busy hour would decide. */
const MIN_MS = 24 * 3_600_000;
/** With fewer calls, each single one would move the date by days. */
const MIN_CALLS = 20;

/**
 * Projects the pace of the month's calls so far.
 *
 * @param from when the account's calls could begin: the start of the month, or of the account if that is later
 * @param resetsAt the end of the month
 */
export function quotaOutlook({
  used,
  limit,
  from,
  now,
  resetsAt,
}: {
  readonly used: number;
  /** Null is unlimited. */
  readonly limit: number | null;
  readonly from: Date;
  readonly now: Date;
  readonly resetsAt: Date;
}): QuotaOutlook {
  if (limit === null) return { state: 'unlimited' };
  if (used >= limit) return { state: 'used_up' };
  const passedMs = now.getTime() - from.getTime();
  if (passedMs < MIN_MS || used < MIN_CALLS) return { state: 'unknown' };
  const at = from.getTime() + (passedMs * limit) / used;
  return at < resetsAt.getTime() ? { state: 'runs_out', at: new Date(Math.ceil(at)) } : { state: 'enough' };
}

/** The first moment of a time's month, in UTC. */
export function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
}
