import { findAccount } from '../account-lifecycle/read-accounts';
import type { AccountStore } from '../accounts/account-store';
import type { AuditLog } from '../accounts/audit-store';
import { accountSuspended } from '../domain/account-suspended';
import type { Actor } from '../domain/audit-actions';
import type { PortalSessionStore } from './portal-session-store';
import { startPortalSession, type PortalSessionInput, type StartedPortalSession } from './start-portal-session';

export interface OpenPortalDeps {
  readonly accounts: Pick<AccountStore, 'findNamed'>;
  readonly audit: AuditLog;
  readonly portalSessions: PortalSessionStore;
}

/** Who opens the portal, and from where. */
interface Opener {
  readonly actor: Actor;
  readonly address: string;
}

/**
 * Opens the portal for a customer. The account's log says so, before the token is answered.
 *
 * @param named the account's `external_id`, or its id
 * @throws NotFoundError when there is no such account, ForbiddenError while it is suspended
 */
export async function openPortal(
  deps: OpenPortalDeps,
  named: string,
  input: Omit<PortalSessionInput, 'accountId' | 'createdBy'>,
  { actor, address }: Opener,
): Promise<StartedPortalSession> {
  const { _id: accountId, suspended_at: suspendedAt } = await findAccount(deps, named);
  if (suspendedAt) throw accountSuspended();
  const { role, subject } = input;
  const started = await startPortalSession(deps, { ...input, accountId, createdBy: actor });
  const detail = subject === undefined ? role : `${role}, ${subject}`;
  const entry = { action: 'portal.session_created', object: started.id, detail } as const;
  await deps.audit.record({ accountId, actor, address, ...entry });
  return started;
}
