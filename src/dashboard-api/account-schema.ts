import { z } from 'zod';
import { ACCOUNT_STATUSES } from '../accounts/account-store';
import { accountUsageView, accountView as publicAccountView, putAccountBody } from '../account-lifecycle/schema';
import { HEALTH_STATES } from '../domain/endpoint-health';
import { EXTERNAL_ID_RULE, isExternalAccountId } from '../domain/external-id';
import { listQuery } from '../http/list-query';
import { tierView } from './schema';

/** An account by its names; all but the id may be missing. */
export const accountNameView = publicAccountView.pick({ id: true, external_id: true, name: true, email: true });

/** A tier, with all that an account may have in its place. */
const accountTierView = tierView.extend({
  endpoints: z.int(),
  deliveries_per_minute: z.int(),
  pending_deliveries: z.int().nullable(),
});

const listedAccountView = accountNameView.extend({
  tier: z.string(),
  status: z.enum(ACCOUNT_STATUSES),
  created_at: z.iso.datetime(),
  quota_used: z.int(),
  /** Its own, or that of its tier; null is unlimited. */
  monthly_quota: z.int().nullable(),
});

const MAX_SEARCH_LENGTH = 320;
/** `q`: an id, an e-mail address, or how an `external_id` or a name begins. */
export const accountQuery = listQuery(100).extend({
  q: z
    .string()
    .max(MAX_SEARCH_LENGTH, `must have at most ${MAX_SEARCH_LENGTH} characters`)
    .trim()
    .min(1, 'must not be empty')
    .optional(),
  status: z.enum(ACCOUNT_STATUSES).optional(),
});
export const accountListView = z.object({
  accounts: z.array(listedAccountView),
  tiers: z.array(accountTierView),
  /** Null for a search, which has one page. */
  next_cursor: z.string().nullable(),
  /** Whether a search may have found more than it lists. */
  more: z.boolean(),
});

/** One account, for operators: its settings, what it did this month, and which of its endpoints need attention. */
export const accountDetailView = publicAccountView.extend({
  quota_used: z.int(),
  monthly_quota: z.int().nullable(),
  tiers: z.array(accountTierView),
  /** Of this month (UTC), the first day first; days without anything are left out. */
  usage: z.array(accountUsageView.shape.usage.element.omit({ account_id: true, external_id: true })),
  endpoints: z.object({
    total: z.int(),
    counts: z.record(z.enum(HEALTH_STATES), z.int()),
    /** The worst first. */
    troubled: z.array(
      z.object({ id: z.string(), url: z.string(), description: z.string(), state: z.enum(HEALTH_STATES) }),
    ),
    /** How many more are troubled. */
    more: z.int(),
  }),
});

/** Suspending and resuming have operations of their own. */
export const changeAccountBody = putAccountBody.omit({ status: true });
export const createAccountBody = changeAccountBody
  .pick({ name: true, tier: true })
  .extend({ external_id: z.string().refine(isExternalAccountId, EXTERNAL_ID_RULE) });
