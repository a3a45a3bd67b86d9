import type { By } from '../domain/audit-actions';
import type { Scope } from '../domain/scopes';
import type { EndpointDeps } from './create-endpoint';
import { decideChange } from './decide-change';
import { requireTag } from './entity-tag';
import { findEndpoint } from './find-endpoints';
import type { DeliveryStore } from '../stores/delivery-store';
import type { ChangeEndpointBody } from './schema';
import type { EndpointHealthStore } from '../stores/endpoint-health-store';
import type { ChangeNote, Endpoint, EndpointChange } from '../stores/endpoint-store';
import { endpointNotFound } from './find-endpoints';

type ChangeDeps = Pick<EndpointDeps, 'endpoints' | 'accounts' | 'gates'>;

/** An endpoint of an account, and the author of a change. */
export interface WhichEndpoint extends By {
  readonly accountId: string;
  readonly id: string;
  /** Why it is changed, for the audit log. */
  readonly reason?: string | undefined;
  /** The tags of the states that may be changed; undefined for any state. */
  readonly ifMatch?: readonly string[] | undefined;
}

/**
 * Changes an endpoint: reads it, decides, and writes unless another writer changed it meanwhile, in which case it reads
 * and decides again. When this resolves, the next event that any process accepts is matched by the new endpoint.
 *
 * @param decide what to change; nothing if the endpoint already is as it should be
 * @throws NotFoundError when the account has no such endpoint
 * @throws PreconditionFailedError when the endpoint has none of the tags in `ifMatch`
 */
export async function applyChange(
  deps: ChangeDeps,
  { accountId, id, actor, address, reason, ifMatch }: WhichEndpoint,
  action: ChangeNote['action'],
  decide: (endpoint: Endpoint) => EndpointChange | undefined,
): Promise<Endpoint> {
  for (;;) {
    const endpoint = await findEndpoint(deps, accountId, id);
    requireTag(endpoint, ifMatch);
    const change = decide(endpoint);
    if (!change) return endpoint;
    const changed = await deps.endpoints.change(endpoint, change, {
      ...{ actor, address, action },
      ...(reason !== undefined && { detail: reason }),
    });
    if (!changed) continue;
    await deps.accounts.bumpEndpointsVersion(accountId);
    // It may have opened the endpoint's gate, or made it wider.
    await deps.gates.open(id);
    return changed;
  }
}

/**
 * Changes the fields that callers may change. A changed URL applies to the next attempt of deliveries in flight,
 * changed patterns and filters to the next event, a changed schedule to new deliveries.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws InvalidRequestError when `url` is not an absolute HTTPS URL, or options contradict each other
 * @throws UnprocessableError when deliveries to that URL are refused
 * @throws ConflictError when credentials would follow to another host, and the caller neither sent nor may read them
 * @throws PreconditionFailedError when the endpoint has none of the tags in `ifMatch`
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  which: WhichEndpoint & { readonly scopes: readonly Scope[] },
  body: ChangeEndpointBody,
): Promise<Endpoint> {
  const { decide, mark } = await decideChange(deps, which, body);
  const changed = await applyChange(deps, which, 'endpoint.changed', decide);
  if (mark) deps.verifier?.begin(deps, changed);
  return changed;
}

/**
 * Holds an endpoint's deliveries. Events are still matched and stored; a request that is under way may still arrive. A
 * second call changes nothing, and a disabled endpoint already holds its deliveries.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export function pauseEndpoint(deps: ChangeDeps, which: WhichEndpoint): Promise<Endpoint> {
  return applyChange(deps, which, 'endpoint.paused', ({ status }) =>
    status === 'active' ? { set: { status: 'paused' }, stamp: 'paused_at' } : undefined,
  );
}

/**
 * Makes a paused or disabled endpoint active again, and has its held deliveries released, the oldest first. A second call
 * changes nothing but the rate.
 *
 * @param backlogPerSecond the most attempts a second until nothing is held; null for no such limit, undefined for the one
 *   that an earlier resume has set
 * @throws NotFoundError when the account has no such endpoint
 */
export function resumeEndpoint(
  deps: ChangeDeps,
  which: WhichEndpoint,
  backlogPerSecond?: number | null,
): Promise<Endpoint> {
  return applyChange(deps, which, 'endpoint.resumed', ({ status, backlog_per_second: before }) => {
    const isActive = status === 'active';
    const perSecond = backlogPerSecond === undefined ? before : (backlogPerSecond ?? undefined);
    if (isActive && perSecond === before) return undefined;
    const hasRate = perSecond !== undefined;
    return {
      set: { status: 'active', ...(hasRate && { backlog_per_second: perSecond }) },
      unset: [
        ...(isActive ? [] : (['disabled_reason', 'failing_since'] as const)),
        ...(hasRate ? [] : (['backlog_per_second', 'backlog_since'] as const)),
      ],
      // Another rate goes on with the same backlog.
      ...(hasRate && !(isActive && before !== undefined) && { stamp: 'backlog_since' as const }),
    };
  });
}

/** What removing an endpoint needs. */
export interface RemoveEndpointDeps extends Pick<ChangeDeps, 'endpoints' | 'accounts'> {
  readonly deliveries: Pick<DeliveryStore, 'cancelAllOf'>;
  readonly health: Pick<EndpointHealthStore, 'remove'>;
}

/**
 * Removes an endpoint: its unfinished deliveries are cancelled, and its slot is free. A request under way may still get
 * an answer, and a 2xx makes that delivery a delivered one. Executions that wait for a retry end at the time of the
 * retry.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function removeEndpoint(
  deps: RemoveEndpointDeps,
  { accountId, id, actor, address }: WhichEndpoint,
): Promise<void> {
  await findEndpoint(deps, accountId, id);
  // First, while a caller without an answer can still repeat the call: otherwise deliveries could remain that nothing
  // ends.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
  // Of two concurrent calls, one comes too late.
  if (!(await deps.endpoints.remove(id, { actor, address }))) throw endpointNotFound();
  await Promise.all([deps.accounts.bumpEndpointsVersion(accountId), deps.health.remove(id)]);
  // Events accepted meanwhile. An event accepted by a process that matched earlier ends at its first attempt, or at the
  // gate.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
}
