import { hostOf } from '../domain/destination-url';
import type { By } from '../domain/audit-actions';
import { InvalidRequestError } from '../domain/errors';
import type { EndpointDeps } from './create-endpoint';
import { mergeOptions, showOptions } from './endpoint-options';
import { endpointNotFound, findEndpoint } from './find-endpoints';
import type { DeliveryStore } from '../record/delivery-store';
import { AUTHORIZATION_TAKEN } from './options-schema';
import type { ChangeEndpointBody } from './schema';
import { markOf } from './host-verification';
import type { ChangeNote, Endpoint, EndpointChange, StoredOptions } from '../record/endpoint-store';

type ChangeDeps = Pick<EndpointDeps, 'endpoints' | 'accounts'>;

/** An endpoint of an account, and who changes it. */
export interface WhichEndpoint extends By {
  readonly accountId: string;
  readonly id: string;
}

/**
 * Changes an endpoint for everybody: reads it, decides, and writes unless somebody else wrote meanwhile; then it is
 * read and decided anew. When this resolves, the next event that any process accepts is matched by the new endpoint.
 *
 * @param decide what to change; nothing when the endpoint is as it should be
 * @throws NotFoundError when the account has no such endpoint
 */
export async function applyChange(
  deps: ChangeDeps,
  { accountId, id, actor, address }: WhichEndpoint,
  action: ChangeNote['action'],
  decide: (endpoint: Endpoint) => EndpointChange | undefined,
): Promise<Endpoint> {
  for (;;) {
    const endpoint = await findEndpoint(deps, accountId, id);
    const change = decide(endpoint);
    if (!change) return endpoint;
    const changed = await deps.endpoints.change(endpoint, change, { actor, address, action });
    if (!changed) continue;
    await deps.accounts.bumpEndpointsVersion(accountId);
    return changed;
  }
}

/**
 * Changes what a caller may change. A changed URL holds for the next attempt of deliveries in flight, changed patterns
 * and filter for the next event, a changed schedule for deliveries that begin from now on.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws InvalidRequestError when `url` is not an absolute HTTPS URL, or options contradict each other
 * @throws UnprocessableError when deliveries to that URL are refused
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  which: WhichEndpoint,
  body: ChangeEndpointBody,
): Promise<Endpoint> {
  const { options, url, metadata, ...rest } = body;
  const plain = {
    ...rest,
    ...(url !== undefined && { url: deps.checkUrl(url) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
  };
  const mark = plain.url === undefined ? undefined : await markOf(deps, which.accountId, plain.url);
  const isChange = options !== undefined || Object.values(plain).some((value) => value !== undefined);
  const changed = await applyChange(deps, which, 'endpoint.changed', (endpoint) => {
    if (!isChange) return undefined;
    const merged = options && mergeOptions(deps.secretBox, endpoint._id, endpoint.options, options);
    if (merged) refuseTwoAuthorizations(deps, endpoint._id, merged);
    // A new host is asked; where it was before it was asked, or need not be.
    const verification = mark && hostOf(endpoint.url) !== mark.host ? mark : undefined;
    return { set: { ...definedOf(plain), ...(merged && { options: merged }), ...(verification && { verification }) } };
  });
  if (mark) deps.verifier?.begin(deps, changed);
  return changed;
}

/** The change and what was there before may each be right, and together make one header twice. */
function refuseTwoAuthorizations(deps: EndpointDeps, id: string, options: StoredOptions): void {
  if (!options.authentication) return;
  const { headers } = showOptions(deps.secretBox, id, options);
  const name = Object.keys(headers ?? {}).find((candidate) => candidate.toLowerCase() === 'authorization');
  if (name === undefined) return;
  const detail = { path: `options.headers.${name}`, message: AUTHORIZATION_TAKEN };
  throw new InvalidRequestError(`"${detail.path}" ${detail.message}.`, 'invalid_request', [detail]);
}

function definedOf<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/**
 * Holds an endpoint's deliveries. Events go on being matched and kept; what is under way right now may still arrive.
 * A second call changes nothing, and an endpoint that is disabled holds its deliveries already.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export function pauseEndpoint(deps: ChangeDeps, which: WhichEndpoint): Promise<Endpoint> {
  return applyChange(deps, which, 'endpoint.paused', ({ status }) =>
    status === 'active' ? { set: { status: 'paused' } } : undefined,
  );
}

/**
 * Makes a paused or disabled endpoint active again: the sweeper finds its gate open within a second, and lets its held
 * deliveries go, the oldest first. A second call changes nothing.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export function resumeEndpoint(deps: ChangeDeps, which: WhichEndpoint): Promise<Endpoint> {
  return applyChange(deps, which, 'endpoint.resumed', ({ status }) =>
    status === 'active' ? undefined : { set: { status: 'active' }, unset: ['disabled_reason', 'failing_since'] },
  );
}

/** What removing an endpoint needs. */
export interface RemoveEndpointDeps extends ChangeDeps {
  readonly deliveries: Pick<DeliveryStore, 'cancelAllOf'>;
}

/**
 * Removes an endpoint: its unfinished deliveries end as cancelled, and its place is free. A request that is under way
 * may still be answered, and a 2xx makes that delivery a delivered one. Executions that wait for a retry end at that time.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function removeEndpoint(
  deps: RemoveEndpointDeps,
  { accountId, id, actor, address }: WhichEndpoint,
): Promise<void> {
  await findEndpoint(deps, accountId, id);
  // First, while a caller who got no answer can still ask again: no delivery may stay behind that nobody ends.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
  // Of two calls at once one comes too late.
  if (!(await deps.endpoints.remove(id, { actor, address }))) throw endpointNotFound();
  await deps.accounts.bumpEndpointsVersion(accountId);
  // What was accepted meanwhile. What a process accepts that matched before ends at its first attempt, or at the gate.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
}
