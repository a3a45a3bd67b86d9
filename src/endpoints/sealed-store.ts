import type { Collection, Db } from 'mongodb';
import { DURABLE } from '../platform/mongo';
import type { SealedSecret } from '../platform/secret-box';
import { atVersion, ENDPOINTS_COLLECTION, type Endpoint } from '../record/endpoint-store';

/** What is sealed in options is bound to its endpoint and its place; signing secrets, which change places, to the endpoint. */
export const headersContext = (endpointId: string): string => `${endpointId}/headers`;
export const credentialContext = (endpointId: string): string => `${endpointId}/authentication`;

/** Where an endpoint's document holds sealed values. */
export type SealedPlace = 'secret' | 'next_secret' | 'options.headers' | 'options.authentication.secret';

/** A sealed value of an endpoint, its place, and what it is bound to. */
export interface SealedValue {
  readonly place: SealedPlace;
  readonly sealed: SealedSecret;
  readonly context: string;
}

/** The fields of an endpoint that hold sealed values. */
export type SealedFields = Pick<Endpoint, '_id' | 'secret' | 'next_secret' | 'options'>;

/** All that is sealed in an endpoint's document; nothing is sealed anywhere else. */
export function sealedValuesOf({ _id, secret, next_secret: next, options }: SealedFields): SealedValue[] {
  const places: [SealedPlace, SealedSecret | undefined, string][] = [
    ['secret', secret, _id],
    ['next_secret', next, _id],
    ['options.headers', options?.headers, headersContext(_id)],
    ['options.authentication.secret', options?.authentication?.secret, credentialContext(_id)],
  ];
  return places.flatMap(([place, sealed, context]) => (sealed ? [{ place, sealed, context }] : []));
}

/** An endpoint as far as something in it is sealed, and its version. */
export type SealedEndpoint = SealedFields & Pick<Endpoint, 'version'>;

const SEALED = { projection: { secret: 1, next_secret: 1, options: 1, version: 1 } } as const;

export type SealedStore = ReturnType<typeof createSealedStore>;

/** Reads and replaces what is sealed, whichever account it is of. */
export function createSealedStore(db: Db) {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  return {
    /** Every endpoint, in the order of ids. */
    all: () => endpoints.find<SealedEndpoint>({}, SEALED).sort({ _id: 1 }),
    find: (_id: string) => endpoints.findOne<SealedEndpoint>({ _id }, SEALED),
    /**
     * Puts sealed values in the place of others, unless somebody changed the endpoint since it was read. For its owner the
     * endpoint stays what it was: `updated_at` too.
     *
     * @returns false when somebody did, or removed it
     */
    async replace(endpoint: SealedEndpoint, values: ReadonlyMap<SealedPlace, SealedSecret>): Promise<boolean> {
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
