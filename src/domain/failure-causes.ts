import { ATTEMPT_ERROR_CODES, type AttemptErrorCode } from './delivery-state';

/** Why an attempt failed: the error, and the receiver's status if it answered. */
export interface FailureKind {
  readonly code: AttemptErrorCode;
  /** Null without an answer, or for a status that HTTP does not have. */
  readonly statusCode: number | null;
}

/** What failed attempts are counted under: `http_503`, or the error's code if there was no usable status. */
type FailureName = AttemptErrorCode | `http_${number}`;

/** Failed attempts by `failureName`. */
export type FailuresByName = Readonly<Record<string, number>>;

/** Statuses of HTTP (RFC 9110): a receiver can make up others, and each would be a counter of its own. */
const STATUSES = { least: 100, most: 599 };

/** The name that a failed attempt is counted under: one of some 500 at most, whatever the receiver answers. */
export function failureName({ code, statusCode }: FailureKind): FailureName {
  if (code !== 'http_status' || statusCode === null) return code;
  return statusCode >= STATUSES.least && statusCode <= STATUSES.most ? `http_${statusCode}` : code;
}

/** What `failureName` made a name of. */
function kindOf(name: string): FailureKind {
  const code = ATTEMPT_ERROR_CODES.find((it) => it === name);
  return code ? { code, statusCode: null } : { code: 'http_status', statusCode: Number(name.slice('http_'.length)) };
}

/** Counts by cause as counts by error code: every status is `http_status`. */
export function failuresByCode(failedBy: FailuresByName): Partial<Record<AttemptErrorCode, number>> {
  const sums: Partial<Record<AttemptErrorCode, number>> = {};
  for (const [name, count] of Object.entries(failedBy)) {
    const { code } = kindOf(name);
    sums[code] = (sums[code] ?? 0) + count;
  }
  return sums;
}

/** A cause of failures in a window. */
export interface CauseSeen extends FailureKind {
  readonly failures: number;
  /** The start of the first span with it: the first such failure came at most one span later. */
  readonly firstFrom: Date;
  /** The end of the last span with it, or of the window: the last such failure came at most one span earlier. */
  readonly lastUntil: Date;
}

/**
 * The causes of failures in a series of counts, the one seen last first, then the most frequent one.
 *
 * @param series the oldest span first
 * @param spanMs the length of a span
 * @param until the end of the window
 */
export function causesOf(
  series: readonly { readonly at: Date; readonly failedBy: FailuresByName }[],
  spanMs: number,
  until: Date,
): CauseSeen[] {
  const causes = new Map<string, CauseSeen>();
  for (const { at, failedBy } of series) {
    const lastUntil = new Date(Math.min(at.getTime() + spanMs, until.getTime()));
    for (const [name, count] of Object.entries(failedBy)) {
      const { failures, firstFrom } = causes.get(name) ?? { failures: 0, firstFrom: at };
      causes.set(name, { ...kindOf(name), failures: failures + count, firstFrom, lastUntil });
    }
  }
  return [...causes.values()].sort(
    (one, other) => other.lastUntil.getTime() - one.lastUntil.getTime() || other.failures - one.failures,
  );
}
