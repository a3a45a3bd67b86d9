import type { ClientSession, Collection, Db } from 'mongodb';
import { changeAudited, type NewAuditEntry } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';
import { ENDPOINTS_COLLECTION, type Endpoint } from '../stores/endpoint-store';
import type { ReplayStore } from '../replays/replay-store';
import type { Session } from '../users/session-store';
import { ACCOUNTS_COLLECTION, type Account } from '../accounts/account-store';

export type SuspensionStore = ReturnType<typeof createSuspensionStore>;

/**
 * Suspends and resumes accounts, each in one transaction with its audit entry.
 *
 * @param replays cancels an account's bulk replays
 */
export function createSuspensionStore(db: Db, replays: Pick<ReplayStore, 'cancelAllOf'>) {
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  const sessions: Collection<Session> = db.collection('sessions');
  return {
    /**
     * Suspends an account, by the database's clock, and cancels its bulk replays. A second call changes and records
     * nothing.
     *
     * Every process reads the suspension where it decides: for calls in the account's document, for attempts in the
     * endpoint's.
     *
     * @returns the account; null if there is none
     */
    suspend: (accountId: string, by: By): Promise<Account | null> =>
      changeAccount(db, { ...by, accountId, action: 'account.suspended', object: accountId }, async (session) => {
        // First, because every call of the account updates this document: later in the transaction it would conflict.
        const suspended = await accounts.findOneAndUpdate(
          { _id: accountId, suspended_at: { $exists: false } },
          { $currentDate: { suspended_at: true }, $inc: { endpoints_version: 1 } },
          { session, returnDocument: 'after' },
        );
        if (!suspended) return null;
        await endpoints.updateMany({ account_id: accountId }, { $set: { account_suspended: true } }, { session });
        await replays.cancelAllOf(accountId, session);
        return suspended;
      }),
    /**
     * Resumes an account, unless it is being deleted: its held deliveries are sent. Earlier sessions stay ended, and no
     * endpoint counts as failing for the time of the suspension.
     *
     * @returns the account; null if there is none
     */
    resume: (accountId: string, by: By): Promise<Account | null> =>
      changeAccount(db, { ...by, accountId, action: 'account.resumed', object: accountId }, async (session) => {
        const resumed = await accounts.findOneAndUpdate(
          { _id: accountId, suspended_at: { $exists: true }, deleting_since: { $exists: false } },
          { $unset: { suspended_at: true }, $inc: { endpoints_version: 1 } },
          { session, returnDocument: 'after' },
        );
        if (!resumed) return null;
        const fields = { account_suspended: true, failing_since: true } as const;
        await endpoints.updateMany({ account_id: accountId }, { $unset: fields }, { session });
        await sessions.deleteMany({ account_id: accountId }, { session });
        return resumed;
      }),
  };
}

/**
 * Changes an account and writes the audit entry in the same transaction.
 *
 * @param work returns null when there is nothing to change
 * @returns the account, changed or unchanged; null if there is none
 */
export async function changeAccount(
  db: Db,
  entry: NewAuditEntry & { readonly accountId: string },
  work: (session: ClientSession) => Promise<Account | null>,
): Promise<Account | null> {
  const changed = await changeAudited(db, work, () => entry);
  return changed ?? db.collection<Account>(ACCOUNTS_COLLECTION).findOne({ _id: entry.accountId });
}
