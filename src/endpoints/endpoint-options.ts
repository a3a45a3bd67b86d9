import { forEachFlag } from '../domain/endpoint-flags';
import { InvalidRequestError } from '../domain/errors';
import { HIDDEN } from '../domain/sent-request';
import type { SecretBox } from '../platform/secret-box';
import type { OptionsBody, ShownOptions } from './options-schema';
import { credentialContext, headersContext } from './sealed-store';
import { problemsOfHeaders } from './static-headers';
import type { StoredOptions } from '../stores/endpoint-store';

/**
 * Merges a change into an endpoint's options: absent ones stay, null and false switch off. A header whose value is sent
 * as `[hidden]`, as answers show it, keeps its value.
 *
 * @throws InvalidRequestError for a hidden value that is not stored, and for headers that are too long together
 * @returns the options to store; an option that is off is absent
 */
export function mergeOptions(
  secretBox: SecretBox,
  endpointId: string,
  current: StoredOptions | undefined,
  change: OptionsBody | undefined,
): StoredOptions {
  const sealed = change && {
    ...change,
    headers:
      change.headers &&
      secretBox.seal(
        JSON.stringify(readHeaders(change.headers, () => openHeaders(secretBox, endpointId, current))),
        headersContext(endpointId),
      ),
    authentication: change.authentication && sealCredential(secretBox, endpointId, change.authentication),
    filter: change.filter && JSON.stringify(change.filter),
  };
  const sent = Object.entries(sealed ?? {}).filter(([, value]) => value !== undefined);
  const merged: [string, unknown][] = Object.entries({ ...current, ...Object.fromEntries(sent) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== false)) as StoredOptions;
}

/** Puts the stored value in place of each hidden one. */
function readHeaders(sent: Readonly<Record<string, string>>, stored: () => Record<string, string> | null) {
  if (!keepsHidden(sent)) return sent;
  const known = new Map(Object.entries(stored() ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
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

/** The options of an endpoint for all who may read it: names of headers, but no values, no password, no token. */
export function showOptions(
  secretBox: SecretBox,
  endpointId: string,
  options: StoredOptions | undefined,
): ShownOptions {
  return {
    retry_schedule: options?.retry_schedule ? [...options.retry_schedule] : null,
    max_per_second: options?.max_per_second ?? null,
    ...forEachFlag((name) => options?.[name] ?? false),
    headers: hidden(openHeaders(secretBox, endpointId, options)),
    authentication: showCredential(options),
    filter: options?.filter === undefined ? null : (JSON.parse(options.filter) as Record<string, unknown>),
  };
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

function hidden(headers: Record<string, string> | null): Record<string, string> | null {
  return headers && Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
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

function sealCredential(
  secretBox: SecretBox,
  endpointId: string,
  credential: NonNullable<OptionsBody['authentication']>,
): StoredOptions['authentication'] {
  const seal = (secret: string) => secretBox.seal(secret, credentialContext(endpointId));
  return credential.type === 'bearer'
    ? { type: 'bearer', secret: seal(credential.token) }
    : { type: 'basic', username: credential.username, secret: seal(credential.password) };
}

function showCredential(options: StoredOptions | undefined): ShownOptions['authentication'] {
  const credential = options?.authentication;
  if (!credential) return null;
  return credential.type === 'bearer' ? { type: 'bearer' } : { type: 'basic', username: credential.username };
}
