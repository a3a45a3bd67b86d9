import type { Account, AccountStore } from './store';
import type { DeletionStore, Removed } from './deletion-store';
import { notFound, suspendAccount, type By } from './suspend-account';
import type { SuspensionStore } from './suspension-store';

/** What deleting an account needs. */
export interface DeleteDeps {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly suspensions: SuspensionStore;
  readonly deletions: DeletionStore;
  /** How long what was let in before a suspension may take to end. */
  readonly underWayMs: number;
  readonly wait: (ms: number) => Promise<void>;
}

/** Documents of a kind that one step removes: small enough for every step to end in a moment. */
const STEP = 500;

/**
 * Deletes an account and all that is its own, for good: it is suspended, and then removed step by step. Whatever is
 * killed in between, the next call goes on. The account itself goes last, once nothing that was under way when it was
 * suspended can write any more. Executions find nothing at their next attempt, and end.
 *
 * Of the audit log what operators did to the account stays; it names nobody of the account.
 *
 * @returns the account, and how many documents this call removed, by collection
 * @throws NotFoundError for an unknown account
 */
export async function deleteAccount(
  deps: DeleteDeps,
  accountId: string,
  by: By,
): Promise<{ account: Account; removed: Removed }> {
  const account = (await deps.accounts.find(accountId)) ?? notFound(accountId);
  const entry = { ...by, accountId, object: accountId };
  await suspendAccount(deps, accountId, by);
  await deps.deletions.begin(accountId, { ...entry, action: 'account.deletion_started' });
  const removed: Record<string, number> = {};
  const removeAll = async (): Promise<void> => {
    for (;;) {
      const some = Object.entries(await deps.deletions.removeSome(accountId, STEP));
      if (some.length === 0) return;
      for (const [name, count] of some) removed[name] = (removed[name] ?? 0) + count;
    }
  };
  const leftMs = deps.underWayMs - (await deps.deletions.suspendedForMs(accountId));
  await removeAll();
  if (leftMs > 0) {
    await deps.wait(leftMs);
    await removeAll();
  }
  const detail = Object.entries(removed).map(([name, count]) => `${name}: ${count}`);
  await deps.deletions.end(accountId, { ...entry, action: 'account.deleted', detail: detail.join(', ') });
  return { account, removed };
}
