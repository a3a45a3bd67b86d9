import { InvalidRequestError } from '../domain/errors';
import { HIDDEN } from '../domain/sent-request';
import type { SealedSecret, SecretBox } from '../platform/secret-box';
import type { StoredOptions } from '../stores/endpoint-store';
import type { Authentication } from './option-values-schema';
import { credentialContext, headersContext } from './sealed-store';
import { problemsOfHeaders } from './static-headers';

/** The endpoint whose options are sealed or opened. */
export interface OptionPlace {
  readonly secretBox: SecretBox;
  readonly endpointId: string;
  /** Its options as they are stored; undefined for a new endpoint. */
  readonly current: StoredOptions | undefined;
}

/**
 * Seals headers. One whose value is sent as `[hidden]`, as answers show it, keeps its value.
 *
 * @throws InvalidRequestError for a hidden value that is not stored, and for headers that are too long together
 */
export function sealHeaders(sent: Readonly<Record<string, string>>, place: OptionPlace): SealedSecret {
  const headers = withStoredValues(sent, place);
  return place.secretBox.seal(JSON.stringify(headers), headersContext(place.endpointId));
}

/** Puts the stored value in place of each hidden one. */
function withStoredValues(sent: Readonly<Record<string, string>>, { secretBox, endpointId, current }: OptionPlace) {
  if (!keepsHidden(sent)) return sent;
  const known = new Map(
    Object.entries(openHeaders(secretBox, endpointId, current) ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const found = Object.entries(sent).map(
    ([name, value]) => [name, value === HIDDEN ? known.get(name.toLowerCase()) : value] as const,
  );
  const lost = found.filter(([, value]) => value === undefined).map(([name]) => ({ name, message: NOT_STORED }));
  const headers = Object.fromEntries(found) as Record<string, string>;
  const [problem] = lost.length > 0 ? lost : problemsOfHeaders(headers);
  if (!problem) return headers;
  const path = ['options', 'headers', ...(problem.name === undefined ? [] : [problem.name])].join('.');
  throw new InvalidRequestError(`"${path}" ${problem.message}.`, 'invalid_request', [
    { path, message: problem.message },
  ]);
}

const NOT_STORED = `has no stored value that ${HIDDEN} could keep; send its value`;

/** Whether a change sends headers whose stored values it keeps. */
export function keepsHidden(headers: Readonly<Record<string, string>> | null | undefined): boolean {
  return Object.values(headers ?? {}).includes(HIDDEN);
}

/** The static headers of an endpoint in the clear; null if there are none. */
export function openHeaders(
  secretBox: SecretBox,
  endpointId: string,
  options: StoredOptions | undefined,
): Record<string, string> | null {
  if (!options?.headers) return null;
  return JSON.parse(secretBox.open(options.headers, headersContext(endpointId))) as Record<string, string>;
}

/** Seals the password or the token. */
export function sealCredential(
  credential: Authentication,
  { secretBox, endpointId }: OptionPlace,
): NonNullable<StoredOptions['authentication']> {
  const seal = (secret: string) => secretBox.seal(secret, credentialContext(endpointId));
  return credential.type === 'bearer'
    ? { type: 'bearer', secret: seal(credential.token) }
    : { type: 'basic', username: credential.username, secret: seal(credential.password) };
}

/** Whether these are the stored headers. One that is sent as `[hidden]` is, if it is stored. */
export function hasHeaders(
  { secretBox, endpointId, current }: OptionPlace,
  sent: Readonly<Record<string, string>>,
): boolean {
  const stored = new Map(Object.entries(openHeaders(secretBox, endpointId, current) ?? {}));
  const entries = Object.entries(sent);
  return (
    entries.length === stored.size &&
    entries.every(([name, value]) => (value === HIDDEN ? stored.has(name) : stored.get(name) === value))
  );
}

/** Whether this is the stored password or token, of the same user. */
export function hasCredential({ secretBox, endpointId, current }: OptionPlace, sent: Authentication): boolean {
  const stored = current?.authentication;
  if (stored?.type !== sent.type) return false;
  const secret = secretBox.open(stored.secret, credentialContext(endpointId));
  if (sent.type === 'bearer') return secret === sent.token;
  return secret === sent.password && 'username' in stored && stored.username === sent.username;
}

/** The headers that an endpoint's options add to each of its deliveries, including `Authorization`. */
export function optionHeaders(
  secretBox: SecretBox,
  endpointId: string,
  options: StoredOptions | undefined,
): Record<string, string> {
  const headers = openHeaders(secretBox, endpointId, options) ?? {};
  const credential = options?.authentication;
  if (!credential) return headers;
  const secret = secretBox.open(credential.secret, credentialContext(endpointId));
  return {
    ...headers,
    Authorization:
      credential.type === 'bearer'
        ? `Bearer ${secret}`
        : `Basic ${Buffer.from(`${credential.username}:${secret}`).toString('base64')}`,
  };
}
