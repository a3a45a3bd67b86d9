import type { z } from 'zod';
import { stateOf } from '../accounts/present';
import type { Account } from '../accounts/account-store';
import type { AuditEntry } from '../accounts/audit-store';
import type { Tier } from '../domain/tiers';
import { presentKey } from '../keys/present';
import type { ApiKey } from '../domain/api-key-record';
import type { Session } from '../users/session-store';
import type { User } from '../users/user-store';
import type { auditListView, sessionListView } from './schema';

export function presentUser({ _id: id, email, role, operator }: User) {
  return { id, email, role, operator };
}

export function presentAccountName({ _id: id, email }: Account) {
  return { id, email };
}

/** An account in the operators' list of all accounts. */
export function presentListedAccount(account: Account, now: Date) {
  const { limits } = account;
  const isThisMonth = limits !== undefined && limits.month.toISOString().slice(0, 7) === now.toISOString().slice(0, 7);
  return {
    ...presentAccountName(account),
    tier: account.tier,
    state: stateOf(account),
    created_at: account.created_at.toISOString(),
    quota_used: isThisMonth ? limits.quota_used : 0,
  };
}

export function presentTier(tier: Tier) {
  return { id: tier.id, name: tier.name, monthly_quota: tier.monthlyQuota, per_minute: tier.perMinute };
}

export function presentSession(
  session: Session,
  currentId: string,
): z.output<typeof sessionListView>['sessions'][number] {
  return {
    id: session._id,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    ends_at: session.ends_at.toISOString(),
    address: session.address,
    user_agent: session.user_agent,
    current: session._id === currentId,
  };
}

/** A key for the account's owner, without the key itself. */
export function presentOwnKey(key: ApiKey) {
  return { ...presentKey(key), calls: key.calls ?? 0 };
}

export function presentAuditEntry(entry: AuditEntry): z.output<typeof auditListView>['entries'][number] {
  const { _id: id, at, account_id, actor, action, object, address, detail = null, changes = [] } = entry;
  const told = changes.map(({ field, from = null, to = null }) => ({ field, from, to }));
  return { id, at: at.toISOString(), account_id, actor, action, object, address, detail, changes: told };
}
