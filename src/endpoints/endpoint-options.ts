import type { SecretBox } from '../platform/secret-box';
import type { OptionsBody } from './options-schema';
import { credentialContext, headersContext } from './sealed-store';
import type { StoredOptions } from '../record/endpoint-store';

/** The options of an endpoint in the clear, except for credentials. */
export interface ShownOptions {
  readonly retry_schedule: number[] | null;
  readonly max_per_second: number | null;
  readonly ordered: boolean;
  readonly disable_on_gone: boolean;
  readonly honor_retry_after: boolean;
  readonly send_traceparent: boolean;
  readonly headers: Record<string, string> | null;
  readonly authentication: { type: 'basic'; username: string } | { type: 'bearer' } | null;
  readonly filter: Record<string, unknown> | null;
}

/**
 * Merges a change into an endpoint's options: absent ones stay, null and false switch off.
 *
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
    headers: change.headers && secretBox.seal(JSON.stringify(change.headers), headersContext(endpointId)),
    authentication: change.authentication && sealCredential(secretBox, endpointId, change.authentication),
    filter: change.filter && JSON.stringify(change.filter),
  };
  const sent = Object.entries(sealed ?? {}).filter(([, value]) => value !== undefined);
  const merged: [string, unknown][] = Object.entries({ ...current, ...Object.fromEntries(sent) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== false)) as StoredOptions;
}

/** Decrypts an endpoint's options for its owner. Password and token stay sealed. */
export function showOptions(
  secretBox: SecretBox,
  endpointId: string,
  options: StoredOptions | undefined,
): ShownOptions {
  return {
    retry_schedule: options?.retry_schedule ? [...options.retry_schedule] : null,
    max_per_second: options?.max_per_second ?? null,
    ordered: options?.ordered ?? false,
    disable_on_gone: options?.disable_on_gone ?? false,
    honor_retry_after: options?.honor_retry_after ?? false,
    send_traceparent: options?.send_traceparent ?? false,
    headers: openHeaders(secretBox, endpointId, options),
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

function openHeaders(
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
