import type { z } from 'zod';
import type { AuditEntry } from '../accounts/audit-store';
import type { Tier } from '../domain/tiers';
import { presentKey, presentManagementKey } from '../keys/present';
import type { ApiKey, ManagementKey } from '../domain/api-key-record';
import type { Session } from '../users/session-store';
import type { User } from '../users/user-store';
import type { auditListView, sessionListView } from './schema';

export function presentUser({ _id: id, email, role, operator }: User) {
  return { id, email, role, operator };
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

/** A management key for operators, without the key itself. */
export function presentOwnManagementKey(key: ManagementKey) {
  return { ...presentManagementKey(key), calls: key.calls ?? 0 };
}

export function presentAuditEntry(entry: AuditEntry): z.output<typeof auditListView>['entries'][number] {
  const { _id: id, at, account_id, actor, action, object, address, detail = null, changes = [] } = entry;
  const told = changes.map(({ field, from = null, to = null }) => ({ field, from, to }));
  return { id, at: at.toISOString(), account_id, actor, action, object, address, detail, changes: told };
}
