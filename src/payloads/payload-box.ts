import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { UnavailableError } from '../domain/errors';
import { RETRY_SECONDS, type SecretBox } from '../platform/secret-box';
import { createAccountKey, DATA_KEY_BYTES, type AccountKey } from './account-key';
import { dataKeyContext, type DataKey, type DataKeyStore } from './data-key-store';

/** Gives the keys of accounts, which seal what the accounts sent and what their receivers answered. */
export interface PayloadBox {
  /** Whether new payloads are sealed (`SEAL_PAYLOADS`). Sealed ones are opened either way. */
  readonly seals: boolean;
  /**
   * The key of an account, which gets one if it has none.
   *
   * @returns null if the account does not exist or is being deleted: nothing of it may be stored
   * @throws UnavailableError `encryption_key_missing` if this process can't open the key, or must not seal one
   */
  keyToSeal(accountId: string): Promise<AccountKey | null>;
  /**
   * The key of an account that has sealed payloads.
   *
   * @throws UnavailableError `encryption_key_missing` if it is not there, or this process can't open it
   */
  keyToOpen(accountId: string): Promise<AccountKey>;
  /** The key of an account; null if it has none. @throws UnavailableError `encryption_key_missing` as `keyToOpen` does */
  findKey(accountId: string): Promise<AccountKey | null>;
}

interface PayloadBoxDeps {
  readonly dataKeys: Pick<DataKeyStore, 'find' | 'create'>;
  /** Undefined for a command that was given no keys. */
  readonly secretBox: Pick<SecretBox, 'seal' | 'open'> | undefined;
  /** Called before a new key is sealed. @throws UnavailableError if other processes could not open it */
  readonly requireOurs: () => Promise<void>;
  readonly seals: boolean;
}

/** So many keys stay in memory, of the accounts that sent or were read last: 0.5 KB each. */
const MAX_KEPT = 10_000;
/** A key stays in memory for so long after it was read, also after its account was deleted. */
const KEPT_MS = 600_000;

/** Reads each account's key once in ten minutes, so that an ordinary ingest or attempt asks MongoDB nothing more. */
export function createPayloadBox({ dataKeys, secretBox, requireOurs, seals }: PayloadBoxDeps): PayloadBox {
  const known = createOnce(async (accountId) => {
    const found = await dataKeys.find(accountId);
    return found && opened(secretBox, found);
  });
  const created = createOnce(async (accountId) => {
    await requireOurs();
    const fresh = randomBytes(DATA_KEY_BYTES).toString('base64');
    const made = await dataKeys.create(accountId, boxOf(secretBox).seal(fresh, dataKeyContext(accountId)));
    return made && opened(secretBox, made);
  });
  return {
    seals,
    keyToSeal: async (accountId) => (await known(accountId)) ?? created(accountId),
    async keyToOpen(accountId) {
      const key = await known(accountId);
      if (!key) throw keyIsGone(accountId);
      return key;
    },
    findKey: known,
  };
}

/** Remembers what is found, and lets concurrent calls wait for one look-up. What is not found is looked up again. */
function createOnce(find: (accountId: string) => Promise<AccountKey | null>) {
  const keys = new LRUCache<string, Promise<AccountKey | null>>({ max: MAX_KEPT, ttl: KEPT_MS, ttlAutopurge: true });
  return (accountId: string): Promise<AccountKey | null> => {
    const before = keys.get(accountId);
    if (before) return before;
    const finding = find(accountId);
    keys.set(accountId, finding);
    const forget = (): void => void keys.delete(accountId);
    finding.then((key) => {
      if (!key) forget();
    }, forget);
    return finding;
  };
}

function opened(secretBox: PayloadBoxDeps['secretBox'], { _id, key }: DataKey): AccountKey {
  return createAccountKey(Buffer.from(boxOf(secretBox).open(key, dataKeyContext(_id)), 'base64'));
}

function boxOf(secretBox: PayloadBoxDeps['secretBox']): NonNullable<PayloadBoxDeps['secretBox']> {
  if (secretBox) return secretBox;
  throw new UnavailableError(
    'Payloads are sealed, and ENCRYPTION_KEY is not set: give it the keys that the processes have.',
    'encryption_key_missing',
    RETRY_SECONDS,
  );
}

function keyIsGone(accountId: string): UnavailableError {
  return new UnavailableError(
    "This account's data is sealed with a key that is gone. Its operator has to restore the collection data_keys.",
    'encryption_key_missing',
    RETRY_SECONDS,
    `the data key of ${accountId} is not in data_keys; that is right only while the account is being deleted`,
  );
}
