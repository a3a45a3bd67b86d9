import type { Collection, Db } from 'mongodb';
import { DURABLE } from '../platform/mongo';
import type { SealedSecret } from '../platform/secret-box';
import { atVersion, ENDPOINTS_COLLECTION, type Endpoint } from '../stores/endpoint-store';

/**
 * Sealed values in options are bound to their endpoint and place; signing secrets, which change places, only to the
 * endpoint.
 */
export const headersContext = (endpointId: string): string => `${endpointId}/headers`;
export const credentialContext = (endpointId: string): string => `${endpointId}/authentication`;

/** The fields of an endpoint's document that hold sealed values. */
export type SealedPlace = 'secret' | 'next_secret' | 'options.headers' | 'options.authentication.secret';

/** A sealed value of an endpoint, its place, and the context that it is bound to. */
export interface SealedValue {
  readonly place: SealedPlace;
  readonly sealed: SealedSecret;
  readonly context: string;
}

/** The fields of an endpoint that hold sealed values. */
export type SealedFields = Pick<Endpoint, '_id' | 'secret' | 'next_secret' | 'options'>;

/** All sealed values in an endpoint's document; there are no others. */
export function sealedValuesOf({ _id, secret, next_secret: next, options }: SealedFields): SealedValue[] {
  const places: [SealedPlace, SealedSecret | undefined, string][] = [
    ['secret', secret, _id],
    ['next_secret', next, _id],
    ['options.headers', options?.headers, headersContext(_id)],
    ['options.authentication.secret', options?.authentication?.secret, credentialContext(_id)],
  ];
  return places.flatMap(([place, sealed, context]) => (sealed ? [{ place, sealed, context }] : []));
}

/** The sealed fields of an endpoint, and its version. */
export type SealedEndpoint = SealedFields & Pick<Endpoint, 'version'>;

const SEALED = { projection: { secret: 1, next_secret: 1, options: 1, version: 1 } } as const;

export type SealedStore = ReturnType<typeof createSealedStore>;

/** Reads and replaces sealed values, of all accounts. */
export function createSealedStore(db: Db) {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await endpoints.createIndexes([{ key: { 'secret.key_id': 1 } }]);
    },
    /** Ids of the keys that current signing secrets are sealed with: a handful, read from the index. */
    keyIds: (): Promise<string[]> => endpoints.distinct('secret.key_id'),
    /** Every endpoint, in the order of ids. */
    all: () => endpoints.find<SealedEndpoint>({}, SEALED).sort({ _id: 1 }),
    find: (_id: string) => endpoints.findOne<SealedEndpoint>({ _id }, SEALED),
    /**
     * Replaces sealed values, unless the endpoint was changed since it was read. For its owner the endpoint is
     * unchanged, including `updated_at`.
     *
     * @returns false if it was changed or removed
     */
    async replace(endpoint: SealedEndpoint, values: ReadonlyMap<SealedPlace, SealedSecret>): Promise<boolean> {
      const { matchedCount } = await endpoints.updateOne(
        atVersion(endpoint),
        // With a new version, a change that was read before is decided again, and can't restore an old value.
        { $set: { ...Object.fromEntries(values), version: (endpoint.version ?? 0) + 1 } },
        { writeConcern: DURABLE },
      );
      return matchedCount === 1;
    },
  };
}
