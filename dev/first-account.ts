import { createAccount } from '../src/accounts/manage-accounts';
import { createAccountStore } from '../src/accounts/account-store';
import { createKey } from '../src/keys/manage-keys';
import { createKeyStore } from '../src/keys/key-store';
import { createManagementKey } from '../src/keys/manage-management-keys';
import { createManagementKeyStore } from '../src/keys/management-key-store';
import { createSetupLink } from '../src/users/set-up-account';
import { createSetupLinkStore } from '../src/users/setup-link-store';
import { createUserStore } from '../src/users/user-store';
import { BY_COMMAND_LINE } from '../src/domain/audit-actions';
import type { Tier } from '../src/domain/tiers';
import { systemClock } from '../src/platform/clock';
import { createMongo } from '../src/platform/mongo';

/** The first account of a stack, with its key and that of the installation. */
export interface FirstAccount {
  readonly accountId: string;
  /** Show both now: they are not stored. */
  readonly key: string;
  readonly managementKey: string;
}

/** A placeholder address; the owner of a local stack needs no other. */
const EMAIL = 'owner@everpost.local';

/** The operator's own account should not run into limits made for customers. */
const TIER = 'enterprise';

/** Creates an account with a key for this product, and a management key, unless there is an account already. */
export async function createFirstAccount(
  mongodbUri: string,
  tiers: ReadonlyMap<string, Tier>,
): Promise<FirstAccount | undefined> {
  const mongo = createMongo(mongodbUri);
  try {
    const accounts = createAccountStore(mongo.db);
    const keys = createKeyStore(mongo.db);
    const existing = await accounts.page(undefined, 2);
    // A start that was killed between the two left an account without a key, which is unusable.
    const unfinished = existing.length === 1 && (await keys.listByAccount(existing[0]!._id)).length === 0;
    if (existing.length > 0 && !unfinished) return undefined;
    const account =
      existing[0] ??
      (await createAccount({ accounts, tiers, clock: systemClock }, { email: EMAIL, tier: TIER }, BY_COMMAND_LINE));
    const deps = { keys, accounts, managementKeys: createManagementKeyStore(mongo.db), clock: systemClock };
    const label = 'first start';
    // Before the account's own key, by which the next start knows that this one was finished.
    const { key: managementKey } = await createManagementKey(deps, { label }, BY_COMMAND_LINE);
    const input = { accountId: account._id, product: 'weh', label };
    const { key } = await createKey(deps, input, BY_COMMAND_LINE);
    return { accountId: account._id, key, managementKey };
  } finally {
    await mongo.close();
  }
}

/**
 * Makes the link with which the operator claims the oldest account without users, as long as the installation has no
 * operator. Each start makes a new link, and ends the previous one.
 *
 * @returns the URL; undefined if there is an operator, or nothing to claim
 */
export async function createOperatorLink(mongodbUri: string, apiUrl: string): Promise<string | undefined> {
  const mongo = createMongo(mongodbUri);
  try {
    const users = createUserStore(mongo.db);
    if (await users.anyOperator()) return undefined;
    const accountId = await users.oldestAccountWithout();
    if (accountId === null) return undefined;
    const token = await createSetupLink({ setupLinks: createSetupLinkStore(mongo.db) }, accountId, BY_COMMAND_LINE);
    return `${apiUrl}/dashboard/setup#${token}`;
  } finally {
    await mongo.close();
  }
}
