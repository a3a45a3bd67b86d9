import type { By } from '../domain/audit-actions';
import { MAX_CLAIM_MS } from '../domain/claim-lease';
import type { Account, AccountStore } from '../accounts/account-store';
import { accountNotFound } from '../accounts/manage-accounts';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { DeletionStore, Removed } from './deletion-store';
import { suspendAccount } from './suspend-account';
import type { SuspensionStore } from './suspension-store';

/** What starting a deletion needs. */
export interface BeginDeletionDeps {
  readonly suspensions: SuspensionStore;
  readonly deletions: Pick<DeletionStore, 'begin'>;
}

/** What a deletion needs. */
export interface ContinueDeletionDeps {
  readonly deletions: DeletionStore;
  readonly accounts: Pick<AccountStore, 'find'>;
  /**
   * How long requests and attempts from before the suspension may still run (default: the claim on the longest
   * attempt; requests and counters waiting to be written take less).
   */
  readonly underWayMs?: number;
}

/** How many documents of a kind one step removes, so that every step is short. */
const STEP = 500;

/**
 * Starts the deletion of an account, which can't be undone: the account is suspended, and a worker does the rest.
 *
 * @throws NotFoundError for an unknown account
 */
export async function beginDeletion(deps: BeginDeletionDeps, accountId: string, by: By): Promise<Account> {
  await suspendAccount(deps, accountId, by);
  const account = await deps.deletions.begin(accountId, by);
  if (!account) throw accountNotFound(accountId);
  return account;
}

/**
 * Removes everything an account owns, step by step, once its deletion has started. After a crash the next call resumes.
 * The account itself is removed last, when nothing that was under way at its suspension can still write. Running
 * executions find nothing at their next attempt, and end.
 *
 * The audit log keeps the actions of operators on the account; those entries name none of its users.
 *
 * @param stop ends the call after the step under way: a large account takes minutes
 * @returns how many documents this call removed, by collection, and after how many milliseconds to call again; 0 when
 *   the account is gone
 * @throws the reason of `stop`
 */
export async function continueDeletion(
  deps: ContinueDeletionDeps,
  accountId: string,
  stop?: AbortSignal,
): Promise<{ removed: Removed; againInMs: number }> {
  const account = await deps.accounts.find(accountId);
  const by = account?.deleting_by;
  if (!by) return { removed: {}, againInMs: 0 };
  const { underWayMs = MAX_CLAIM_MS } = deps;
  const leftMs = underWayMs - (await deps.deletions.suspendedForMs(accountId));
  const removed: Record<string, number> = {};
  for (;;) {
    stop?.throwIfAborted();
    const some = Object.entries(await deps.deletions.removeSome(accountId, STEP));
    if (some.length === 0) break;
    for (const [name, count] of some) removed[name] = (removed[name] ?? 0) + count;
  }
  if (leftMs > 0) return { removed, againInMs: leftMs };
  await deps.deletions.end(accountId, { ...by, accountId, object: accountId, action: 'account.deleted' });
  return { removed, againInMs: 0 };
}

interface RunDeletionsDeps extends ContinueDeletionDeps {
  readonly logger: Logger;
}

const INTERVAL_MS = 5_000;

/** Finishes deletions that were started. Part of the worker role; safe in any number of workers. */
export function runDeletions(deps: RunDeletionsDeps): Periodic {
  const { deletions, logger } = deps;
  const failure = 'accounts could not be deleted; the next round tries again';
  return runPeriodically({ intervalMs: INTERVAL_MS, logger, failure }, async (stop) => {
    for (const accountId of await deletions.begun()) {
      const { againInMs } = await continueDeletion(deps, accountId, stop);
      if (againInMs === 0) logger.info({ account_id: accountId }, 'deleted an account');
    }
  });
}
