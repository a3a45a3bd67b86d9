import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { accountNotFound } from '../accounts/manage-accounts';
import type { Account } from '../accounts/account-store';
import type { EndpointStore } from '../stores/endpoint-store';
import type { GateStore } from '../stores/gate-store';
import type { SuspensionStore } from './suspension-store';

interface SuspendDeps {
  readonly suspensions: SuspensionStore;
}

/** What `resumeAccount` needs. */
export interface ResumeAccountDeps extends SuspendDeps {
  readonly endpoints: Pick<EndpointStore, 'listByAccount'>;
  readonly gates: Pick<GateStore, 'open'>;
}

/**
 * Suspends an account. From its next call on, every process answers 403 (`account_suspended`), in the API and in the
 * dashboard. Streams end within a second, and unsent deliveries are held. A second call changes nothing.
 *
 * @throws NotFoundError for an unknown account
 */
export async function suspendAccount(deps: SuspendDeps, accountId: string, by: By): Promise<Account> {
  const account = await deps.suspensions.suspend(accountId, by);
  if (!account) throw accountNotFound(accountId);
  return account;
}

/**
 * Resumes a suspended account: its keys work again, and its held deliveries are sent, the oldest first. Its users
 * have to sign in again. A second call changes nothing.
 *
 * @throws NotFoundError for an unknown account
 * @throws ConflictError for one that is being deleted
 */
export async function resumeAccount(deps: ResumeAccountDeps, accountId: string, by: By): Promise<Account> {
  const account = await deps.suspensions.resume(accountId, by);
  if (!account) throw accountNotFound(accountId);
  if (account.deleting_since) {
    throw new ConflictError(`The account ${accountId} is being deleted; it can't be resumed.`, 'account_being_deleted');
  }
  const endpoints = await deps.endpoints.listByAccount(accountId);
  await Promise.all(endpoints.map(({ _id }) => deps.gates.open(_id)));
  return account;
}
