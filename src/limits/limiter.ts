import { LRUCache } from 'lru-cache';
import { createWriteGroups } from '../platform/write-groups';
import { createCountByName } from './count-by-name';
import { createDeliveryLedger, type DeliveryLedger } from './delivery-ledger';
import type { LimitStore, Refund, Usage } from './limit-store';
import { isWindowOver, WINDOW_MS } from './windows';

/** The state of an account's limits after a call, for the headers. */
export interface LimitView {
  readonly perMinute: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resetAtSeconds: number;
  readonly quotaUsed: number;
  /** `null` is unlimited. */
  readonly quotaLimit: number | null;
}

/** What an ingest has to know of the account. */
type EventSetting = 'endpointsVersion' | 'searchFields' | 'defaultBody' | 'eventTypes' | 'retentionDays';

/** The decision on one call. */
export type Admission =
  | ({ readonly admitted: true; readonly view: LimitView } & Pick<
      Usage,
      'accountId' | 'externalId' | 'now' | EventSetting
    >)
  | ({ readonly admitted: false; readonly view: LimitView } & Pick<Usage, 'accountId' | 'now'> & Denial);

type Denial =
  | { readonly reason: 'suspended' }
  | { readonly reason: 'burst'; readonly retryAfterSeconds: number }
  | { readonly reason: 'quota'; readonly retryAfterSeconds: number; readonly quotaResetsAt: Date };

const MAX_ACCOUNTS = 10_000;
const ONE_AT_A_TIME = { maxItems: 1_000, maxInFlight: 1 };

export type Limiter = ReturnType<typeof createLimiter>;

/**
 * Decides on calls by account: the burst window and the monthly quota together.
 *
 * Concurrent calls of one account share one update, which admits as many of them as fit. So a call takes at most one
 * round trip, and the document of a busy account has no write conflicts. Refunds and reads are grouped in the same way:
 * calls that are refused without being counted, like those with a key of another product, must not flood MongoDB.
 *
 * @param ledger the deliveries that these updates report
 * @param onCounted gets an account's counters after each update that counts calls
 */
export function createLimiter(
  store: LimitStore,
  {
    perf = performance,
    ledger = createDeliveryLedger(),
    onCounted,
  }: {
    readonly perf?: { now(): number };
    readonly ledger?: DeliveryLedger;
    readonly onCounted?: (accountId: string, usage: Usage) => void;
  } = {},
) {
  const known = new LRUCache<string, { readonly usage: Usage; readonly at: number }>({ max: MAX_ACCOUNTS });

  const note = (accountId: string, usage: Usage): void => {
    known.set(accountId, { usage, at: perf.now() });
    onCounted?.(accountId, usage);
  };
  const { idOf, count } = createCountByName(ledger, note);
  const decide = async (account: string, calls: number): Promise<(Admission | null)[]> => {
    const usage = await count(account, (which, report) => store.admit(which, calls, report));
    if (!usage) return Array.from({ length: calls }, () => null);
    return Array.from({ length: calls }, (_, index) => admissionOf(usage, index));
  };

  const takeBack = async (accountId: string, calls: readonly Refund[]): Promise<undefined[]> => {
    await store.refund(accountId, calls);
    return calls.map(() => undefined);
  };
  const readAll = async (accountId: string, reads: readonly void[]): Promise<(Usage | null)[]> => {
    const usage = await store.read(accountId);
    return reads.map(() => usage);
  };
  const readGroupOf = createWriteGroups<void, Usage | null>(readAll, ONE_AT_A_TIME);
  const read = (accountId: string): Promise<Usage | null> => readGroupOf(accountId).add();
  const groupOf = createWriteGroups<void, Admission | null>((id, calls) => decide(id, calls.length), ONE_AT_A_TIME);
  const refundGroupOf = createWriteGroups<Refund, void>(takeBack, ONE_AT_A_TIME);

  return {
    /**
     * @param account its id, or its `external_id`
     * @returns null for an unknown account. Rejects when MongoDB can't be reached.
     */
    admit: (account: string) => groupOf(account).add(),
    /**
     * Decides on this many calls together. If they don't all fit, they are denied and count as one call, unless none is
     * left.
     *
     * @returns the decision and how many calls were counted; null for an unknown account
     */
    async admitWhole(
      account: string,
      calls: number,
    ): Promise<{ readonly admission: Admission; readonly counted: number } | null> {
      const usage = await count(account, (which, report) => store.admitWhole(which, calls, report));
      if (!usage) return null;
      const counted = usage.admitted;
      return { admission: counted === calls ? admittance(usage, 0) : denial(usage, calls - counted), counted };
    },
    /** The decision that one call would get now, without counting it. @returns null for an unknown account */
    async check(account: string): Promise<Admission | null> {
      const usage = await read(account);
      return usage && (hasCapacity(usage) ? admittance(usage, 0) : denial(usage, 1));
    },
    /** The account's limits, without counting a call. @returns null for an unknown account */
    async peek(accountId: string): Promise<LimitView | null> {
      const usage = await read(accountId);
      return usage && viewOf(usage, usage.windowUsed, usage.quotaUsed);
    },
    /** All counters of the account, without counting a call. @returns null for an unknown account */
    read,
    /** Returns counted calls. */
    refund: (accountId: string, admittedAt: Date, calls: number) => refundGroupOf(accountId).add({ admittedAt, calls }),
    /** The account's limits as this process last knew them, for answers while MongoDB is away. */
    lastKnown(account: string): LimitView | undefined {
      const last = known.get(idOf(account));
      return last && viewLater(last.usage, perf.now() - last.at);
    },
  };
}

/** The decision on the call at `index` in its group. */
function admissionOf(usage: Usage, index: number): Admission {
  return index < usage.admitted ? admittance(usage, usage.admitted - index - 1) : denial(usage, 1);
}

/** @param later how many calls of the same decision come after this one */
function admittance(usage: Usage, later: number): Admission {
  const view = viewOf(usage, usage.windowUsed - later, usage.quotaUsed - later);
  const { accountId, externalId, endpointsVersion, searchFields, defaultBody, eventTypes, retentionDays, now } = usage;
  const settings = { endpointsVersion, searchFields, defaultBody, eventTypes, retentionDays };
  return { admitted: true, view, accountId, externalId, ...settings, now };
}

/** @param calls how many more calls than those in `usage` would have to fit */
function denial(usage: Usage, calls: number): Admission {
  const view = viewOf(usage, usage.windowUsed, usage.quotaUsed);
  const { accountId, now } = usage;
  const denied = { admitted: false, view, accountId, now } as const;
  if (usage.isSuspended) return { ...denied, reason: 'suspended' };
  const quotaIsSpent = view.quotaLimit !== null && view.quotaUsed + calls > view.quotaLimit;
  const waitMs = quotaIsSpent
    ? usage.quotaResetsAt.getTime() - now.getTime()
    : usage.windowStartedAt.getTime() + WINDOW_MS - now.getTime();
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return quotaIsSpent
    ? { ...denied, reason: 'quota', retryAfterSeconds, quotaResetsAt: usage.quotaResetsAt }
    : { ...denied, reason: 'burst', retryAfterSeconds };
}

function hasCapacity({ tier, windowUsed, quotaUsed, isSuspended }: Usage): boolean {
  return !isSuspended && windowUsed < tier.perMinute && (tier.monthlyQuota === null || quotaUsed < tier.monthlyQuota);
}

/** The limits of an account without calls since then: a window or a month that has ended is reset. */
function viewLater(usage: Usage, passedMs: number): LimitView {
  const now = usage.now.getTime() + passedMs;
  const windowIsOver = isWindowOver(usage.windowStartedAt, now);
  const monthIsOver = now >= usage.quotaResetsAt.getTime();
  return viewOf(
    { ...usage, windowStartedAt: windowIsOver ? new Date(now) : usage.windowStartedAt },
    windowIsOver ? 0 : usage.windowUsed,
    monthIsOver ? 0 : usage.quotaUsed,
  );
}

function viewOf({ tier, windowStartedAt, isSuspended }: Usage, windowUsed: number, quotaUsed: number): LimitView {
  return {
    perMinute: tier.perMinute,
    remaining: isSuspended ? 0 : Math.max(0, tier.perMinute - windowUsed),
    resetAtSeconds: Math.ceil((windowStartedAt.getTime() + WINDOW_MS) / 1_000),
    quotaUsed,
    quotaLimit: tier.monthlyQuota,
  };
}
