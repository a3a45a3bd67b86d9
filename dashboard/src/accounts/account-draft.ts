import type { AccountDetail, AccountList } from '../api/answers';
import { jsonOf, parseObject } from '../elements/json-text';
import type { BodyChoice } from '../endpoints/body-shapes';

type Tier = AccountList['tiers'][number];
export type AccountLimits = AccountDetail['limits'];
type LimitName = keyof AccountLimits;

/** The limits that an account may have of its own; each has a value of the tier in its place. */
export const ACCOUNT_LIMITS: readonly { readonly name: LimitName; readonly label: string }[] = [
  { name: 'per_minute', label: 'Calls in a minute' },
  { name: 'monthly_quota', label: 'Calls in a month' },
  { name: 'deliveries_per_minute', label: 'Deliveries in a minute' },
  { name: 'pending_deliveries', label: 'Unfinished deliveries' },
  { name: 'endpoints', label: 'Endpoints' },
];

/** What holds for an account without a limit of its own. */
export function limitOfTier(tier: Tier | undefined, name: LimitName): string {
  const limit = tier?.[name];
  return limit === undefined ? '' : (limit?.toLocaleString('en') ?? 'unlimited');
}

/** The form of an account, as the operator edits it. */
export interface AccountDraft {
  readonly name: string;
  readonly email: string;
  readonly tier: string;
  /** Null is unlimited; one that is missing is that of the tier. */
  readonly limits: AccountLimits;
  /** As JSON. */
  readonly metadata: string;
  readonly searchFields: readonly string[];
  /** The shape of bodies for endpoints that name none. */
  readonly body: BodyChoice;
  /** What happens to events that the catalog does not know. */
  readonly eventTypes: EventTypeChoice;
  /** For how many days finished events are kept; null: as long as the installation keeps them. */
  readonly retentionDays: number | null;
}

/** A mode of the catalog; `default` leaves it to the installation. */
export type EventTypeChoice = NonNullable<AccountDetail['event_types']> | 'default';

/** What is sent to change an account. */
export interface AccountBody {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly tier?: string;
  readonly limits?: AccountLimits;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly search_fields?: readonly string[];
  readonly defaults?: AccountDetail['defaults'] | null;
  readonly event_types?: AccountDetail['event_types'];
  readonly retention_days?: number | null;
}

/** The form of an account that is there. */
export function draftOf(
  account: Pick<
    AccountDetail,
    'name' | 'email' | 'tier' | 'limits' | 'metadata' | 'search_fields' | 'defaults' | 'event_types' | 'retention_days'
  >,
): AccountDraft {
  return {
    name: account.name ?? '',
    email: account.email ?? '',
    tier: account.tier,
    limits: account.limits,
    metadata: jsonOf(account.metadata),
    searchFields: account.search_fields,
    body: account.defaults.body ?? 'default',
    eventTypes: account.event_types ?? 'default',
    retentionDays: account.retention_days,
  };
}

/**
 * What to send for a draft: only what differs from `opened`, because another operator may have changed the rest.
 *
 * @returns undefined if the metadata can't be read
 */
export function bodyOf(draft: AccountDraft, opened: AccountDraft): AccountBody | undefined {
  const metadata = draft.metadata.trim() === '' ? {} : parseObject(draft.metadata);
  if (!metadata) return undefined;
  const differs = (part: keyof AccountDraft): boolean => JSON.stringify(draft[part]) !== JSON.stringify(opened[part]);
  return {
    ...(differs('name') && { name: draft.name.trim() || null }),
    ...(differs('email') && { email: draft.email.trim() || null }),
    ...(differs('tier') && { tier: draft.tier }),
    ...(differs('limits') && { limits: draft.limits }),
    ...(differs('metadata') && { metadata }),
    ...(differs('searchFields') && { search_fields: draft.searchFields }),
    ...(differs('body') && { defaults: draft.body === 'default' ? null : { body: draft.body } }),
    ...(differs('eventTypes') && { event_types: draft.eventTypes === 'default' ? null : draft.eventTypes }),
    ...(differs('retentionDays') && { retention_days: draft.retentionDays }),
  };
}
