import type { z } from 'zod';
import { statusOf, type Account } from '../accounts/account-store';
import type { accountView } from './schema';

/** An account as the API shows it. */
export function presentAccount(account: Account): z.output<typeof accountView> {
  return {
    id: account._id,
    external_id: account.external_id ?? null,
    name: account.name ?? null,
    email: account.email ?? null,
    tier: account.tier,
    limits: account.own_limits ?? {},
    search_fields: account.search_fields ?? [],
    defaults: account.defaults ?? {},
    event_types: account.event_types ?? null,
    retention_days: account.retention_days ?? null,
    metadata: account.metadata === undefined ? {} : (JSON.parse(account.metadata) as Record<string, string>),
    status: statusOf(account),
    created_at: account.created_at.toISOString(),
    updated_at: (account.updated_at ?? account.created_at).toISOString(),
  };
}
