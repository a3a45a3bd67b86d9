import type { SignalStarter } from '../dispatch/start-signals';
import { applyChange } from './change-endpoint';
import type { EndpointDeps } from './create-endpoint';
import type { EndpointDueStore } from './due-store';
import type { Endpoint } from './store';

/** What waking held deliveries needs. */
export interface WakeDeps {
  readonly due: Pick<EndpointDueStore, 'wakeStarted'>;
  readonly signalStarter: SignalStarter;
}

/** What resuming needs. */
export interface ResumeDeps extends Pick<EndpointDeps, 'endpoints' | 'accounts'>, WakeDeps {}

/**
 * Holds an endpoint's deliveries. Events go on being matched and kept; what is under way right now may still arrive.
 * A second call changes nothing, and an endpoint that is disabled holds its deliveries already.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export function pauseEndpoint(
  deps: Pick<EndpointDeps, 'endpoints' | 'accounts'>,
  which: { accountId: string; id: string },
): Promise<Endpoint> {
  return applyChange(deps, which, ({ status }) => (status === 'active' ? { set: { status: 'paused' } } : undefined));
}

/**
 * Makes a paused or disabled endpoint active again, and has its held deliveries woken, the oldest first. A second call
 * changes nothing.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function resumeEndpoint(deps: ResumeDeps, which: { accountId: string; id: string }): Promise<Endpoint> {
  const endpoint = await applyChange(deps, which, ({ status }) =>
    status === 'active'
      ? undefined
      : { set: { status: 'active' }, unset: ['disabled_reason', 'failing_since'], stamp: 'wake_due_at' },
  );
  if (endpoint.wake_due_at) await wakeDeliveries(deps, endpoint);
  return endpoint;
}

/** Starts the job that wakes an endpoint's held deliveries; where that fails now, the sweeper of endpoints tries again. */
export async function wakeDeliveries(deps: WakeDeps, endpoint: Endpoint): Promise<void> {
  const which = { accountId: endpoint.account_id, endpointId: endpoint._id };
  const isStarted = await deps.signalStarter.start(which, 'wake', endpoint.version ?? 0);
  if (isStarted) await deps.due.wakeStarted(endpoint);
}
