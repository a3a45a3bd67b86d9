/**
 * What was stored to end at a time has ended once that time has come, and also if the time is further ahead than it can
 * be: then it was written before the database's clock was set back (ADR 43). Each caller knows how far ahead its times
 * can be.
 */

/** An aggregation expression of MongoDB. */
type Expression = Record<string, unknown>;

/**
 * A time this much further ahead than it can be was written before the clock was set back. A smaller lead can come from
 * concurrent operations: each uses the time of its start, and may wait.
 */
const SET_BACK_MS = 60_000;

/** Whether a time that is `aheadMs` from now is further ahead than it can be. */
export function isTooFarAhead(aheadMs: number, longestMs = 0): boolean {
  return aheadMs > longestMs + SET_BACK_MS;
}

/** Whether a time that is `aheadMs` from now has come, or is further ahead than it can be. */
export function isTimeOver(aheadMs: number, longestMs: number): boolean {
  return aheadMs <= 0 || isTooFarAhead(aheadMs, longestMs);
}

/**
 * The last time that is not too far ahead. For filters, because `{ $gt: latestFrom(now) }` uses an index, and an
 * expression does not.
 */
export function latestFrom(now: Date, longestMs = 0): Date {
  return new Date(now.getTime() + longestMs + SET_BACK_MS);
}

/**
 * `isTooFarAhead` as an expression, by the database's clock. A missing time is not.
 *
 * @param time `$` and the field's name, or an expression
 */
export function timeIsTooFarAhead(time: unknown, longestMs: unknown = 0): Expression {
  return { $gt: [time, { $add: ['$$NOW', longestMs, SET_BACK_MS] }] };
}

/** `isTimeOver` as an expression, by the database's clock. A missing time is over. */
export function timeIsOver(time: unknown, longestMs: unknown): Expression {
  return { $or: [{ $lte: [time, '$$NOW'] }, timeIsTooFarAhead(time, longestMs)] };
}

/**
 * An expression: the end of a claim or lease whose holder may be alive. Another process never takes it at once: it
 * lasts `longestMs` from now at most.
 */
export function endsWithin(end: unknown, longestMs: unknown): Expression {
  return { $min: [end, { $add: ['$$NOW', longestMs] }] };
}
