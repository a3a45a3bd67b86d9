import type { SealedSecret } from '../platform/secret-box';
import type { Endpoint } from '../record/endpoint-store';

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
