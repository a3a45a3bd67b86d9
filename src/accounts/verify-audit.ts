import { digestOf, hashOf } from './audit-chain';
import type { AuditHead, AuditStore, ChainedEntry } from './audit-store';

/** What a check of a log found. */
export interface VerifiedLog {
  /** The account, or `none` for entries that belong to no account. */
  readonly log: string;
  readonly entries: number;
  /** Those that were erased with their account: only their hashes are left. */
  readonly erased: number;
  /** The number of the first entry that is kept, and of the last one. */
  readonly first: number;
  readonly last: number;
  /** Of the last entry: keep it elsewhere, and compare it later. */
  readonly hash: string;
  /** What is wrong; null if nothing is. */
  readonly problem: string | null;
}

/**
 * Checks each log: every entry says what it said when it was written, holds the hash of the one before it, and none is
 * missing in between or at the end. Retention removes the oldest entries, so a log may begin later.
 */
export async function* verifyAudit({
  audit,
}: {
  readonly audit: Pick<AuditStore, 'heads' | 'chain'>;
}): AsyncGenerator<VerifiedLog, void> {
  for await (const head of audit.heads()) yield await verifyLog(head, audit.chain(head));
}

async function verifyLog(head: AuditHead, chain: AsyncIterable<ChainedEntry>): Promise<VerifiedLog> {
  let [entries, erased, first, last] = [0, 0, 0, 0];
  let hash = '';
  let problem: string | null = null;
  for await (const entry of chain) {
    entries += 1;
    if (!entry.content) erased += 1;
    if (entries === 1) first = entry.seq;
    else problem ??= gapBetween(last, hash, entry);
    if (entry.content && digestOf(entry.content.salt, entry.content) !== entry.digest)
      problem ??= `entry ${entry.seq} (${entry.content._id}) was changed`;
    last = entry.seq;
    hash = hashOf(entry);
  }
  // An entry that was written meanwhile is newer than the head that was read.
  if (entries > 0 && last === head.seq && hash !== head.hash) problem ??= `entry ${last} was changed`;
  if (last < head.seq && (entries > 0 || !head.mayBeEmpty))
    problem ??= `entries ${last + 1} to ${head.seq} are missing`;
  return { log: head.log, entries, erased, first, last, hash, problem };
}

function gapBetween(last: number, hash: string, next: ChainedEntry): string | null {
  if (next.seq > last + 1) return `entries ${last + 1} to ${next.seq - 1} are missing`;
  if (next.seq !== last + 1) return `entry ${next.seq} is there twice`;
  return next.previous === hash ? null : `entry ${last} was changed, or entry ${next.seq}`;
}
