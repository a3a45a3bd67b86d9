import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import { sleep } from '../platform/sleep';
import type { AuditChainStore } from './audit-chain-store';

interface ChainAuditDeps {
  readonly auditChain: Pick<AuditChainStore, 'chainNext'>;
  readonly dispatch: { holdLease(name: string, owner: string, leaseMs: number): Promise<boolean> };
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
  /** Resolves once MongoDB has the indexes. */
  readonly indexesReady: Promise<void>;
}

const INTERVAL_MS = 1_000;
const LEASE_MS = 10_000;
/** Entries in one transaction. */
const PAGE = 500;

/**
 * Chains new entries of the audit log within a second or two. Part of the worker role; the lease only saves work, so two
 * processes at once do no harm.
 */
export function chainAudit({ auditChain, dispatch, logger, owner, indexesReady }: ChainAuditDeps): Periodic {
  const failure = 'entries of the audit log could not be chained; the next round tries again';
  let isReady = false;
  void indexesReady.then(() => (isReady = true));
  return runPeriodically({ intervalMs: INTERVAL_MS, logger, failure }, async (stop) => {
    for (let hasMore = isReady; hasMore && !stop.aborted;) {
      // A process without the lease asks for it once in its time.
      if (!(await dispatch.holdLease('audit-chain', owner, LEASE_MS))) return sleep(LEASE_MS, stop);
      const { chained, mended } = await auditChain.chainNext(PAGE);
      for (const log of mended)
        logger.warn({ log }, 'the head of an audit log was behind its entries: run `everpost audit verify`');
      hasMore = chained === PAGE || mended.length > 0;
    }
  });
}
