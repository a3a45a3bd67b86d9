import { createHash, randomBytes } from 'node:crypto';
import { requireAccount } from '../accounts/manage-accounts';
import type { AccountStore } from '../accounts/account-store';
import { formatApiKey, maskApiKey, PRODUCT_PREFIXES, PRODUCTS, type Product } from '../domain/api-key';
import type { ApiKey } from '../domain/api-key-record';
import type { By } from '../domain/audit-actions';
import { ConflictError, InvalidRequestError, NotFoundError } from '../domain/errors';
import type { Scope } from '../domain/scopes';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import { readExpiry, readScopes } from './read-restrictions';
import type { KeyStore } from './key-store';

/** What the operations on keys need. */
export interface KeyDeps {
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly clock: Clock;
}

const MAX_LABEL_LENGTH = 100;
/** Characters that change how others are shown. */
const CHANGES_OTHERS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
/** Addresses of people, and the names of the system's own authors. */
const LOOKS_LIKE_AUTHOR = /@|^(everpost|command line)$/i;
/** What is not seen. Variants of emoji need some of it, so a label may have it beside other text. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Enough for each service of a team to have its own key; revoked keys don't count. */
const MAX_ACTIVE_KEYS = 100;

/** The hash by which a key is looked up: SHA-256 of all its characters, hexadecimal. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Creates a key for one product of an account.
 *
 * @param input `scopes` limits what the key may do, `expiresIn` (such as `90d`) for how long; neither ever changes
 * @returns the record, and the full key, which exists outside its owner's hands only at this moment
 * @throws InvalidRequestError for an unknown product or scope, an empty or overlong label, or a lifetime of zero
 * @throws NotFoundError for an unknown account
 * @throws ConflictError when the account has the maximum number of keys
 */
export async function createKey(
  deps: KeyDeps,
  input: { accountId: string; product: string; label: string; scopes?: readonly string[]; expiresIn?: string },
  by: By,
): Promise<{ record: ApiKey; key: string }> {
  const product = input.product as Product;
  if (!PRODUCT_PREFIXES.includes(product)) {
    throw new InvalidRequestError(
      `There is no product "${input.product}". Products: ${PRODUCT_PREFIXES.join(', ')}.`,
      'unknown_product',
    );
  }
  if (input.scopes && product !== 'weh') {
    throw new InvalidRequestError(`Keys of ${PRODUCTS[product]} have no scopes. Leave them out.`, 'unknown_scope');
  }
  const label = readLabel(input.label);
  const createdAt = deps.clock();
  const restrictions = {
    ...(input.scopes && { scopes: readScopes(input.scopes) }),
    ...(input.expiresIn !== undefined && { expires_at: readExpiry(input.expiresIn, createdAt) }),
  };
  await requireAccount(deps.accounts, input.accountId);
  const key = formatApiKey(product, randomBytes(16).toString('hex'));
  const record: ApiKey = {
    ...newKeyFields(key, { label, createdAt, by }),
    product,
    account_id: input.accountId,
    ...restrictions,
  };
  if (!(await deps.keys.insert(record, MAX_ACTIVE_KEYS, by))) {
    throw new ConflictError(`This account has ${MAX_ACTIVE_KEYS} keys. Revoke one first.`, 'key_limit_reached');
  }
  return { record, key };
}

/** What a new key of any kind has. */
export function newKeyFields(
  key: string,
  { label, createdAt, by }: { readonly label: string; readonly createdAt: number; readonly by: By },
) {
  return {
    _id: newId('key'),
    hash: hashApiKey(key),
    display: maskApiKey(key),
    label,
    created_at: new Date(createdAt),
    ...(by.actor.id !== null && { created_by: by.actor.id }),
    last_used_at: null,
    revoked_at: null,
  };
}

/** @throws InvalidRequestError for an empty or overlong label, or one that hides or pretends something */
export function readLabel(text: string): string {
  const label = text.trim();
  if (label === '' || label.length > MAX_LABEL_LENGTH) {
    throw new InvalidRequestError(`A label has 1 to ${MAX_LABEL_LENGTH} characters.`, 'invalid_label');
  }
  if (CHANGES_OTHERS.test(label) || LOOKS_LIKE_AUTHOR.test(asSeen(label))) {
    throw new InvalidRequestError(
      'A label names a program. It must not contain "@", invisible characters or line breaks, or be "Everpost" or ' +
        '"command line": the audit log shows it as the author of what the key does.',
      'invalid_label',
    );
  }
  return label;
}

/** One spelling for all labels that look alike but for their letters: without what is not seen, and with plain spaces. */
function asSeen(label: string): string {
  return label.replace(UNSEEN, '').normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/**
 * An account's newest 1,000 keys, oldest first, revoked ones included.
 *
 * @throws NotFoundError for an unknown account
 */
export async function listKeys(deps: Omit<KeyDeps, 'clock'>, accountId: string): Promise<ApiKey[]> {
  await requireAccount(deps.accounts, accountId);
  return deps.keys.listByAccount(accountId);
}

/**
 * Revokes a key permanently; every process refuses it in under a second.
 *
 * @param input `accountId` limits the search to the owner's own keys
 * @throws NotFoundError if there is no such key
 */
export async function revokeKey(deps: KeyDeps, input: { id: string; accountId?: string }, by: By): Promise<ApiKey> {
  const key = await deps.keys.revoke(input.id, new Date(deps.clock()), by, input.accountId);
  if (!key) throw keyNotFound(input.id);
  return key;
}

/** The error for an unknown key. */
export function keyNotFound(id: string): NotFoundError {
  return new NotFoundError(`There is no key ${id}.`, 'key_not_found');
}

/** What the holder of an authenticated key may see of it. `expires_at` is null for a key that never expires. */
export async function describeKey(
  { accounts }: Pick<KeyDeps, 'accounts'>,
  { accountId, product, label, scopes, expiresAt }: DescribedKey,
) {
  const account = accountId === undefined ? null : await accounts.find(accountId);
  return {
    product: product ?? null,
    label,
    account_id: accountId ?? null,
    tier: account?.tier ?? null,
    scopes,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

/** A key in use. */
interface DescribedKey {
  /** The account that it is of, or acts for; undefined for none. */
  readonly accountId: string | undefined;
  /** Undefined for a management key. */
  readonly product: Product | undefined;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | undefined;
}
