import { normaliseEmail } from '../accounts/email';
import type { AccountChange } from '../accounts/account-change-store';
import { statusOf, type Account, type AccountStore } from '../accounts/account-store';
import { accountNotFound, requireTier } from '../accounts/manage-accounts';
import type { By, FieldChange } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { isOwnAccountId } from '../domain/external-id';
import { requireRetention } from '../domain/retention';
import type { Tier } from '../domain/tiers';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import type { PutAccountBody } from './schema';
import { resumeAccount, suspendAccount, type ResumeAccountDeps } from './suspend-account';

/** What creating and changing accounts needs. */
export interface PutAccountDeps extends ResumeAccountDeps {
  readonly accounts: Pick<AccountStore, 'findNamed' | 'insert' | 'change'>;
  readonly tiers: ReadonlyMap<string, Tier>;
  /** Of a new account that names no tier. */
  readonly defaultTier: string;
  /** How long the installation keeps finished events. */
  readonly retentionMs: number;
  readonly clock: Clock;
}

/** The fields of an account that a body can set, as they are stored. */
type Fields = Pick<
  Account,
  | 'name'
  | 'email'
  | 'tier'
  | 'own_limits'
  | 'metadata'
  | 'search_fields'
  | 'defaults'
  | 'event_types'
  | 'retention_days'
>;

/**
 * Creates an account, or changes it if it exists: absent fields stay as they are. The same body again changes nothing.
 *
 * @param named the `external_id` of the account, or its id
 * @returns the account, and whether it was created
 * @throws InvalidRequestError for an invalid e-mail address or an unknown tier
 * @throws UnprocessableError for more days than the installation keeps events
 * @throws NotFoundError for an id (`acc_…`) without an account
 * @throws ConflictError when the e-mail address is taken, or the account is being deleted
 */
export async function putAccount(
  deps: PutAccountDeps,
  named: string,
  { status, ...body }: PutAccountBody,
  by: By,
): Promise<{ readonly account: Account; readonly isNew: boolean }> {
  const fields = fieldsOf(deps, body);
  for (;;) {
    const before = await deps.accounts.findNamed(named);
    if (before?.deleting_since) throw beingDeleted(named);
    if (!before && isOwnAccountId(named)) throw accountNotFound(named);
    const account = before ? await changed(deps, before, fields, by) : await created(deps, named, fields, by);
    // Another call created or changed it meanwhile.
    if (!account) continue;
    return { account: await withStatus(deps, account, status, by), isNew: !before };
  }
}

/**
 * Creates an account, and changes none.
 *
 * @throws InvalidRequestError for an invalid e-mail address or an unknown tier
 * @throws ConflictError when there is an account with this `external_id`, or the e-mail address is taken
 */
export async function createNamedAccount(
  deps: PutAccountDeps,
  externalId: string,
  body: Omit<PutAccountBody, 'status'>,
  by: By,
): Promise<Account> {
  const account = await created(deps, externalId, fieldsOf(deps, body), by);
  if (account) return account;
  throw new ConflictError(`There is an account ${externalId} already.`, 'account_exists');
}

/** The fields of a body; null is one that the account is not to have. */
function fieldsOf(
  { tiers, retentionMs }: Pick<PutAccountDeps, 'tiers' | 'retentionMs'>,
  {
    name,
    email,
    tier,
    limits,
    search_fields: searchFields,
    defaults,
    event_types,
    retention_days,
    metadata,
  }: Omit<PutAccountBody, 'status'>,
) {
  if (tier !== undefined) requireTier(tiers, tier);
  requireRetention(retention_days, retentionMs);
  return {
    name,
    email: email && normaliseEmail(email),
    tier,
    own_limits: filledOf(limits),
    search_fields: searchFields,
    defaults: filledOf(defaults),
    event_types,
    retention_days,
    metadata: metadata && (Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)),
  };
}

/** An object, or null if it says nothing. */
function filledOf<T extends object>(value: T | null | undefined): T | null | undefined {
  return value && Object.keys(value).length === 0 ? null : value;
}

type WantedFields = ReturnType<typeof fieldsOf>;

async function created(
  { accounts, clock, defaultTier }: PutAccountDeps,
  externalId: string,
  fields: WantedFields,
  by: By,
): Promise<Account | null> {
  const { tier = defaultTier, ...others } = fields;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined && value !== null));
  const account: Account = {
    ...{ _id: newId('acc'), external_id: externalId, tier, ...given },
    ...{ endpoints_version: 0, created_at: new Date(clock()) },
  };
  if (await accounts.insert(account, by)) return account;
  // Either the e-mail address is taken, or another call created this account a moment ago.
  if (await accounts.findNamed(externalId)) return null;
  throw emailTaken(account.email);
}

async function changed(
  { accounts }: PutAccountDeps,
  before: Account,
  fields: WantedFields,
  by: By,
): Promise<Account | null> {
  const changes = changeOf(before, fields);
  if (changes.changes.length === 0) return before;
  const after = await accounts.change(before, changes, by);
  if (after === 'taken') throw emailTaken(fields.email);
  return after;
}

/** What is different. */
function changeOf(before: Account, wanted: WantedFields): AccountChange {
  const set: Partial<Record<keyof Fields, unknown>> = {};
  const unset: (keyof Fields)[] = [];
  const changes: FieldChange[] = [];
  for (const [field, value] of Object.entries(wanted) as [keyof Fields, unknown][]) {
    const current = before[field] ?? (field === 'search_fields' ? [] : null);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(current)) continue;
    if (value === null) unset.push(field);
    else set[field] = value;
    changes.push({ field: NAMES[field] ?? field, ...told('from', current), ...told('to', value) });
  }
  return { set, unset, changes } as AccountChange;
}

/** What the API calls a stored field. */
const NAMES: Partial<Record<keyof Fields, string>> = { own_limits: 'limits' };

function told(side: 'from' | 'to', value: unknown): Partial<FieldChange> {
  if (value === null || value === undefined) return {};
  return { [side]: typeof value === 'string' ? value : JSON.stringify(value) };
}

async function withStatus(
  deps: PutAccountDeps,
  account: Account,
  wanted: PutAccountBody['status'],
  by: By,
): Promise<Account> {
  if (wanted === undefined || wanted === statusOf(account)) return account;
  return wanted === 'suspended' ? suspendAccount(deps, account._id, by) : resumeAccount(deps, account._id, by);
}

function emailTaken(email: string | null | undefined): ConflictError {
  return new ConflictError(`Another account has the e-mail address ${email}.`, 'email_taken');
}

function beingDeleted(named: string): ConflictError {
  return new ConflictError(
    `The account ${named} is being deleted. Wait until it is gone, and create it again.`,
    'account_being_deleted',
  );
}
