import type { Collection, Db } from 'mongodb';
import { DURABLE } from '../platform/mongo';
import type { SealedSecret } from '../platform/secret-box';
import type { SealedFields, SealedPlace } from './sealed-values';
import { atVersion, ENDPOINTS_COLLECTION, type Endpoint } from '../record/endpoint-store';

/** An endpoint as far as something in it is sealed, and its version. */
export type SealedEndpoint = SealedFields & Pick<Endpoint, 'version'>;

/** Reads and replaces what is sealed, whichever account it is of. */
export interface SealedStore {
  /** Every endpoint, in the order of ids. */
  all(): AsyncIterable<SealedEndpoint>;
  find(id: string): Promise<SealedEndpoint | null>;
  /**
   * Puts sealed values in the place of others, unless somebody changed the endpoint since it was read. For its owner the
   * endpoint stays what it was: `updated_at` too.
   *
   * @returns false when somebody did, or removed it
   */
  replace(endpoint: SealedEndpoint, values: ReadonlyMap<SealedPlace, SealedSecret>): Promise<boolean>;
}

const SEALED = { projection: { secret: 1, next_secret: 1, options: 1, version: 1 } } as const;

export function createSealedStore(db: Db): SealedStore {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  return {
    all: () => endpoints.find<SealedEndpoint>({}, SEALED).sort({ _id: 1 }),
    find: (_id) => endpoints.findOne<SealedEndpoint>({ _id }, SEALED),
    async replace(endpoint, values) {
      const { matchedCount } = await endpoints.updateOne(
        atVersion(endpoint),
        // With a new version, a change that was read before is decided anew, and can't bring an old value back.
        { $set: { ...Object.fromEntries(values), version: (endpoint.version ?? 0) + 1 } },
        { writeConcern: DURABLE },
      );
      return matchedCount === 1;
    },
  };
}
