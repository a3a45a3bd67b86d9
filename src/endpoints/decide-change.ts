import { hostOf, originOf } from '../domain/destination-url';
import { ConflictError, InvalidRequestError } from '../domain/errors';
import type { Scope } from '../domain/scopes';
import type { Endpoint, EndpointChange, StoredOptions, Verification } from '../stores/endpoint-store';
import type { EndpointDeps } from './create-endpoint';
import { mergeOptions } from './endpoint-options';
import { markOf } from './host-verification';
import { AUTHORIZATION_TAKEN, MASKED_TWICE, type OptionsBody } from './options-schema';
import type { ChangeEndpointBody } from './schema';
import { keepsHidden, openHeaders } from './sealed-options';

/** What deciding a change needs. */
export type DecideDeps = Pick<EndpointDeps, 'endpoints' | 'checkUrl' | 'keyCheck' | 'secretBox' | 'verifier'>;

/** What a body asks for, checked as far as it can be without the endpoint. */
export interface Decision {
  /**
   * What to change of an endpoint as it is; nothing if the body names no field.
   *
   * @throws InvalidRequestError, ConflictError as `decideChange` does
   */
  readonly decide: (endpoint: Endpoint) => EndpointChange | undefined;
  /** The verification of the new URL's host; undefined if it needs none. */
  readonly mark: Verification | undefined;
}

/**
 * Decides what a body changes of an endpoint, and writes nothing: a rehearsal decides as the change itself does.
 *
 * @throws InvalidRequestError when `url` is not an absolute HTTPS URL, or options contradict each other
 * @throws UnprocessableError when deliveries to that URL are refused
 * @throws ConflictError when credentials would follow to another host, and the caller neither sent nor may read them
 */
export async function decideChange(
  deps: DecideDeps,
  { accountId, scopes }: { readonly accountId: string; readonly scopes: readonly Scope[] },
  { options, url, metadata, ...rest }: ChangeEndpointBody,
): Promise<Decision> {
  const plain = {
    ...rest,
    ...(url !== undefined && { url: deps.checkUrl(url) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
  };
  if (options?.headers || options?.authentication) await deps.keyCheck.requireOurs();
  const mark = plain.url === undefined ? undefined : await markOf(deps, accountId, plain.url);
  const isChange = options !== undefined || Object.values(plain).some((value) => value !== undefined);
  const decide = (endpoint: Endpoint): EndpointChange | undefined => {
    if (!isChange) return undefined;
    if (plain.url !== undefined && !scopes.includes('secrets:read')) refuseToMoveSecrets(endpoint, plain.url, options);
    const merged = options && mergeOptions({ ...deps, endpointId: endpoint._id, current: endpoint.options }, options);
    if (merged) refuseContradictions(deps, endpoint._id, merged);
    // A new host gets a challenge; the old one has answered it, or need not.
    const verification = mark && hostOf(endpoint.url) !== mark.host ? mark : undefined;
    return { set: { ...definedOf(plain), ...(merged && { options: merged }), ...(verification && { verification }) } };
  };
  return { decide, mark };
}

/**
 * Whoever changes the URL gets what is sent there. So a caller who may not read secrets must not be able to send stored
 * ones to a host of its choice.
 */
function refuseToMoveSecrets({ url, options }: Endpoint, next: string, sent: OptionsBody | undefined): void {
  if (originOf(url) === originOf(next)) return;
  const isKept = (name: 'authentication' | 'headers'): boolean =>
    Boolean(options?.[name]) && sent?.[name] === undefined;
  const kept = (['authentication', 'headers'] as const).filter(
    (name) => isKept(name) || (name === 'headers' && keepsHidden(sent?.headers)),
  );
  if (kept.length === 0) return;
  const names = kept.map((name) => `"options.${name}"`).join(' and ');
  throw new ConflictError(
    `The new URL has another host, port or scheme, and ${names} would be sent there. Send ${names} again with the URL, ` +
      'or null to remove what is stored, or use a key with the scope secrets:read.',
    'credentials_not_sent',
  );
}

/** The change and the existing options may each be valid, but together mask twice, or set one header twice. */
function refuseContradictions(deps: DecideDeps, id: string, options: StoredOptions): void {
  if (options.include && options.exclude) throw contradiction('options.exclude', MASKED_TWICE);
  if (!options.authentication) return;
  const headers = openHeaders(deps.secretBox, id, options);
  const name = Object.keys(headers ?? {}).find((candidate) => candidate.toLowerCase() === 'authorization');
  if (name === undefined) return;
  throw contradiction(`options.headers.${name}`, AUTHORIZATION_TAKEN);
}

function contradiction(path: string, message: string): InvalidRequestError {
  return new InvalidRequestError(`"${path}" ${message}.`, 'invalid_request', [{ path, message }]);
}

function definedOf<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
