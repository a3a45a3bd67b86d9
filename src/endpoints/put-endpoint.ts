import { ConflictError, InvalidRequestError, PreconditionFailedError } from '../domain/errors';
import { isExternalEndpointId } from '../domain/external-id';
import type { Scope } from '../domain/scopes';
import type { Endpoint } from '../stores/endpoint-store';
import { changeEndpoint, pauseEndpoint, resumeEndpoint, type WhichEndpoint } from './change-endpoint';
import { createEndpoint, type EndpointDeps } from './create-endpoint';
import { changedOptions } from './endpoint-options';
import { requireTag } from './entity-tag';
import { findEndpoint } from './find-endpoints';
import { ENDPOINT_DEFAULTS, type ChangeEndpointBody, type PutEndpointBody } from './schema';

/** Who puts an endpoint, and which: our id of it, or an external id that no endpoint of the account has yet. */
export interface PutCaller extends WhichEndpoint {
  readonly scopes: readonly Scope[];
  readonly now: Date;
  /** Whether there must be an endpoint already. */
  readonly mustExist: boolean;
}

/**
 * Makes an endpoint what the body says: registers it, or changes what differs. Fields that the body leaves out stay, so
 * that the same call again changes nothing. Of two concurrent calls for a new external id, one registers the endpoint.
 *
 * @returns the endpoint, with its signing secret if it is new
 * @throws NotFoundError for an id of ours that the account has not
 * @throws InvalidRequestError for a new endpoint without a URL, or another external id
 * @throws ConflictError for another secret than the endpoint's, and as `createEndpoint` and `changeEndpoint` do
 * @throws PreconditionFailedError when it has none of the tags, or has to exist and does not
 */
export async function putEndpoint(
  deps: EndpointDeps,
  caller: PutCaller,
  body: PutEndpointBody,
): Promise<{ readonly endpoint: Endpoint; readonly secret?: string }> {
  if (!isExternalEndpointId(caller.id)) return { endpoint: await updateEndpoint(deps, caller, body) };
  if (caller.mustExist) throw notThere();
  requireOwn(caller.id, body);
  try {
    return await createEndpoint(deps, caller, newEndpoint(caller.id, body));
  } catch (error) {
    // A concurrent call registered it.
    if (!(error instanceof ConflictError && error.code === 'external_id_taken')) throw error;
    const id = (await deps.endpoints.findIds(caller.accountId, [caller.id])).get(caller.id);
    if (id === undefined) throw error;
    return { endpoint: await updateEndpoint(deps, { ...caller, id }, body) };
  }
}

function newEndpoint(externalId: string, { url, ...body }: PutEndpointBody) {
  if (url === undefined) throw invalid('url', 'is required, because there is no endpoint with this external_id yet');
  const { events, description, enabled } = ENDPOINT_DEFAULTS;
  return {
    ...body,
    url,
    external_id: externalId,
    events: body.events ?? events,
    description: body.description ?? description,
    enabled: body.enabled ?? enabled,
  };
}

async function updateEndpoint(deps: EndpointDeps, caller: PutCaller, body: PutEndpointBody): Promise<Endpoint> {
  const before = await findEndpoint(deps, caller.accountId, caller.id);
  requireTag(before, caller.ifMatch);
  requireOwn(before.external_id, body);
  requireSameSecret(deps, before, body.secret);
  const difference = differenceOf(deps, before, body);
  const isChange = Object.keys(difference).length > 0;
  const changed = isChange ? await changeEndpoint(deps, caller, difference) : before;
  if (body.enabled === undefined || body.enabled === (changed.status === 'active')) return changed;
  // A change has another tag already.
  const which = isChange ? { ...caller, ifMatch: undefined } : caller;
  return body.enabled ? resumeEndpoint(deps, which) : pauseEndpoint(deps, which);
}

/** The fields of the body that are not as they are stored. */
function differenceOf(deps: EndpointDeps, stored: Endpoint, body: PutEndpointBody): ChangeEndpointBody {
  const { url, events, description, metadata, options } = body;
  const changed = options && changedOptions({ ...deps, endpointId: stored._id, current: stored.options }, options);
  return {
    ...(url !== undefined && deps.checkUrl(url) !== stored.url && { url }),
    ...(events && JSON.stringify(events) !== JSON.stringify(stored.events) && { events }),
    ...(description !== undefined && description !== stored.description && { description }),
    ...(metadata && inOrder(metadata) !== inOrder(JSON.parse(stored.metadata ?? '{}') as object) && { metadata }),
    ...(changed && Object.keys(changed).length > 0 && { options: changed }),
  };
}

/** A map as text, whatever the order of its members. */
function inOrder(map: object): string {
  return JSON.stringify(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function requireOwn(externalId: string | undefined, body: PutEndpointBody): void {
  if (body.external_id === undefined || body.external_id === externalId) return;
  throw invalid('external_id', 'must be that of the endpoint in the path: it never changes');
}

/** The next secret of a rotation will be the current one, so it is no other secret either. */
function requireSameSecret({ secretBox }: EndpointDeps, endpoint: Endpoint, sent: string | undefined): void {
  if (sent === undefined) return;
  const { _id, secret, next_secret: next } = endpoint;
  if (secretBox.open(secret, _id) === sent || (next && secretBox.open(next, _id) === sent)) return;
  throw new ConflictError(
    'The endpoint has another signing secret. Leave "secret" out, or rotate it instead: POST …/secret/rotate keeps both ' +
      'valid while your receivers change.',
    'secret_differs',
  );
}

function invalid(path: string, message: string): InvalidRequestError {
  return new InvalidRequestError(`"${path}" ${message}.`, 'invalid_request', [{ path, message }]);
}

function notThere(): PreconditionFailedError {
  return new PreconditionFailedError(
    'There is no endpoint with this external_id, so it has no ETag to match. Leave If-Match out to register it.',
    'precondition_failed',
  );
}
