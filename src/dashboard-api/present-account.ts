import { statusOf, type Account } from '../accounts/account-store';
import type { Tier } from '../domain/tiers';
import { limitsOf } from '../limits/windows';
import { presentTier } from './present';

/** The names of an account: whoever created it by the API gave it an `external_id`, and a name if they wanted. */
export function presentAccountName(account: Account) {
  const { _id: id, external_id: externalId = null, name = null, email = null } = account;
  return { id, external_id: externalId, name, email };
}

/** An account in the operators' list of all accounts. */
export function presentListedAccount(account: Account, tiers: ReadonlyMap<string, Tier>, now: Date) {
  return {
    ...presentAccountName(account),
    tier: account.tier,
    status: statusOf(account),
    created_at: account.created_at.toISOString(),
    ...presentQuota(account, tiers, now),
  };
}

/** The calls of this month, and how many it may make; null is unlimited. */
export function presentQuota(account: Account, tiers: ReadonlyMap<string, Tier>, now: Date) {
  const { limits } = account;
  const isThisMonth = limits !== undefined && limits.month.toISOString().slice(0, 7) === now.toISOString().slice(0, 7);
  return {
    quota_used: isThisMonth ? limits.quota_used : 0,
    monthly_quota: limitsOf(tiers, account).monthlyQuota,
  };
}

/** A tier with all limits that an account may have of its own. */
export function presentAccountTier(tier: Tier) {
  return {
    ...presentTier(tier),
    endpoints: tier.endpoints,
    deliveries_per_minute: tier.deliveriesPerMinute,
    pending_deliveries: tier.pendingDeliveries,
  };
}
