import type { AccountStore } from './account-store';
import { digestOf, type ChainEnd } from './audit-chain';
import type { AuditChainStore, ChainedEntry, LogState } from './audit-chain-store';

interface VerifyAuditDeps {
  readonly auditChain: Pick<AuditChainStore, 'logs' | 'state' | 'chained'>;
  readonly accounts: Pick<AccountStore, 'find'>;
}

interface VerifyOptions {
  /** How long entries are kept; undefined keeps them forever. */
  readonly retentionMs: number | undefined;
  readonly now: Date;
  /** Ends of logs that were kept elsewhere, by log. */
  readonly kept?: ReadonlyMap<string, ChainEnd>;
}

/** What a check of a log found. */
export interface VerifiedLog {
  /** The account, or `none` for entries that belong to no account. */
  readonly log: string;
  /** How many chained entries are there, and how many of them were erased with their account. */
  readonly entries: number;
  readonly erased: number;
  /** The number of the first one, and of the last; null if there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Of the last one. */
  readonly digest: string | null;
  readonly unchained: number;
  readonly unchainedSince: Date | null;
  /** What is wrong at the first wrong entry; null if nothing is. */
  readonly problem: string | null;
}

/** Entries that are read at a time. */
const PAGE = 2_000;

/** MongoDB removes old entries once a minute, may be late, and does it in the order of their time. */
const EXPIRY_SLACK_MS = 3_600_000;

/**
 * Verifies logs: every entry says what it said when it was chained, and none is missing in between or at the end. A log
 * whose oldest entries expired is verified from the first one that is kept.
 *
 * @param only one log; by default all
 */
export async function* verifyAudit(
  deps: VerifyAuditDeps,
  options: VerifyOptions,
  only?: string,
): AsyncGenerator<VerifiedLog, void> {
  const missing = new Set(options.kept?.keys());
  for await (const log of only === undefined ? deps.auditChain.logs() : [only]) {
    missing.delete(log);
    yield await verifyLog(deps, log, options);
  }
  if (only === undefined) for (const log of missing) yield await verifyLog(deps, log, options);
}

async function verifyLog(deps: VerifyAuditDeps, log: string, options: VerifyOptions): Promise<VerifiedLog> {
  const state = await deps.auditChain.state(log);
  const { head, first, unchained, unchainedSince } = state;
  const walk = createWalk(state, options, options.kept?.get(log));
  const mayBeErased = async (): Promise<boolean> => {
    const account = await deps.accounts.find(log);
    return !account || account.deleting_since !== undefined;
  };
  for (let from = first ?? 1; head && from <= head.seq; from += PAGE) {
    for (const entry of await deps.auditChain.chained(log, from, Math.min(from + PAGE, head.seq + 1)))
      if (walk.pass(entry) && walk.result().problem === null && !(await mayBeErased()))
        walk.report(`entry ${entry.seq} (${entry._id}) was erased, but its account was not deleted`);
  }
  walk.end();
  return { log, first, ...walk.result(), unchained, unchainedSince };
}

/** Goes through a log, and remembers the first problem. */
function createWalk({ head, first, last: lastThere }: LogState, { retentionMs, now }: VerifyOptions, kept?: ChainEnd) {
  const expiresBefore = retentionMs === undefined ? 0 : now.getTime() - retentionMs + EXPIRY_SLACK_MS;
  let last: ChainedEntry | null = null;
  let [entries, erased] = [0, 0];
  let problem: string | null = null;
  const report = (found: string | null): void => void (problem ??= found);
  /** Whether MongoDB may have removed what came before. */
  const mayHaveExpired = (): boolean => retentionMs !== undefined && (!last || last.at.getTime() < expiresBefore);
  const gapBefore = (seq: number): string | null => {
    const from = (last?.seq ?? 0) + 1;
    return seq === from || mayHaveExpired() ? null : `${numbered(from, seq - 1)} missing`;
  };
  return {
    report,
    /** @returns whether the entry was erased */
    pass(entry: ChainedEntry): boolean {
      const { seq, previous, digest } = entry;
      const isErased = !('salt' in entry);
      if (last?.seq === seq) report(`entry ${seq} is there twice`);
      report(gapBefore(seq));
      if (!isErased && digestOf({ ...entry }) !== digest) report(`entry ${seq} (${entry._id}) was changed`);
      const isNext = seq === (last?.seq ?? 0) + 1;
      if (isNext && previous !== (last?.digest ?? null))
        report(`entry ${seq} (${entry._id}) does not follow the one before`);
      if (kept?.seq === seq && kept.digest !== digest)
        report(`entry ${seq} (${entry._id}) is not the one that was kept`);
      last = entry;
      entries += 1;
      if (isErased) erased += 1;
      return isErased;
    },
    end(): void {
      if (!head && first !== null) report('the head of the log is missing');
      if (head && last?.seq !== head.seq) report(gapBefore(head.seq + 1));
      if (head && last?.seq === head.seq && last.digest !== head.digest)
        report(`entry ${head.seq} does not match the head`);
      if (head && (lastThere ?? 0) > head.seq) report(`entry ${lastThere} is behind the head, which is ${head.seq}`);
      if (kept && (head?.seq ?? 0) < kept.seq) report(`${numbered((head?.seq ?? 0) + 1, kept.seq)} missing`);
    },
    result: () => ({ entries, erased, last: head?.seq ?? null, digest: head?.digest ?? null, problem }),
  };
}

function numbered(from: number, to: number): string {
  return from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
}
