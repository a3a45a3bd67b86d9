import { dataKeyContext, type DataKey, type DataKeyStore } from '../payloads/data-key-store';
import { MissingKeyError, type SealedSecret, type SecretBox } from '../platform/secret-box';
import {
  sealedValuesOf,
  type SealedEndpoint,
  type SealedPlace,
  type SealedStore,
  type SealedValue,
} from './sealed-store';

/** A document with values that are sealed with `ENCRYPTION_KEY`. */
export interface Holder {
  /** What it is: an endpoint, or the data key of an account. */
  readonly kind: 'endpoint' | 'account';
  readonly id: string;
  readonly values: readonly HeldValue[];
  /** Replaces values in one write. @returns false if the document was changed since it was read, or is gone */
  replace(values: ReadonlyMap<HeldValue['place'], SealedSecret>): Promise<boolean>;
  /** Reads it again. @returns null if it is gone */
  again(): Promise<Holder | null>;
}

/** A sealed value, its place in its document, and the context that it is bound to. */
export type HeldValue = Omit<SealedValue, 'place'> & { readonly place: SealedPlace | 'key' };

/** What finding holders needs. */
export interface HolderDeps {
  readonly sealed: SealedStore;
  readonly dataKeys: Pick<DataKeyStore, 'all' | 'find' | 'replace'>;
}

/** Every document that holds sealed values: all endpoints, then the data keys of all accounts. */
export async function* allHolders({ sealed, dataKeys }: HolderDeps): AsyncGenerator<Holder> {
  for await (const endpoint of sealed.all()) yield endpointHolder(sealed, endpoint);
  for await (const dataKey of dataKeys.all()) yield accountHolder(dataKeys, dataKey);
}

/** Why a value can't be opened; undefined if it can. */
export function problemOf(
  secretBox: Pick<SecretBox, 'open'>,
  { sealed, context }: HeldValue,
): 'missing' | 'damaged' | undefined {
  try {
    secretBox.open(sealed, context);
    return undefined;
  } catch (error) {
    return error instanceof MissingKeyError ? 'missing' : 'damaged';
  }
}

function endpointHolder(sealed: SealedStore, endpoint: SealedEndpoint): Holder {
  return {
    kind: 'endpoint',
    id: endpoint._id,
    values: sealedValuesOf(endpoint),
    replace: (values) => sealed.replace(endpoint, values as ReadonlyMap<SealedPlace, SealedSecret>),
    async again() {
      const found = await sealed.find(endpoint._id);
      return found && endpointHolder(sealed, found);
    },
  };
}

function accountHolder(dataKeys: HolderDeps['dataKeys'], dataKey: DataKey): Holder {
  return {
    kind: 'account',
    id: dataKey._id,
    values: [{ place: 'key', sealed: dataKey.key, context: dataKeyContext(dataKey._id) }],
    replace: (values) => dataKeys.replace(dataKey, values.get('key')!),
    async again() {
      const found = await dataKeys.find(dataKey._id);
      return found && accountHolder(dataKeys, found);
    },
  };
}
