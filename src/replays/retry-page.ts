import { closedBy } from '../domain/delivery-contract';
import { isFinished } from '../domain/delivery-state';
import { inParallel } from '../platform/concurrency-limit';
import type { DeliveryStore } from '../stores/delivery-store';
import type { DispatchStore } from '../stores/dispatch-store';
import type { EndpointStore } from '../stores/endpoint-store';
import { isClaimed } from '../stores/event-store';
import type { ListedDelivery } from '../stores/list-deliveries-store';
import type { JournaledDelivery, JournaledPage, PageResult, ReplayJob } from './replay-store';
import { CHUNK, requireMost, STARTS_IN_FLIGHT } from './start-runs';

/** What a page of deliveries that are still retried needs. */
export interface RetryPageDeps {
  readonly deliveries: Pick<DeliveryStore, 'findRuns'>;
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
  readonly dispatch: Pick<DispatchStore, 'now'>;
  readonly keep: (jobId: string) => Promise<boolean>;
  /**
   * Has the next attempt of a delivery made now.
   *
   * @param now the database's clock
   * @returns false if an operator has ended its last execution in Temporal. Rejects when Temporal is away
   */
  readonly retryRun: (run: ListedDelivery, now: Date) => Promise<boolean>;
}

/**
 * Makes the next attempts of a page's deliveries now, instead of at their time. It can be repeated: each delivery of the
 * page has the number of its attempt, and an attempt is made once.
 *
 * @throws Error when Temporal accepts hardly any: the page must be repeated later
 */
export async function retryDeliveries(
  deps: RetryPageDeps,
  job: ReplayJob,
  { deliveries }: JournaledPage,
): Promise<PageResult> {
  const ids = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const open = new Set((await deps.endpoints.findMany(ids)).filter((it) => !closedBy(it)).map(({ _id }) => _id));
  let retried = 0;
  for (let at = 0; at < deliveries.length; at += CHUNK) {
    if (!(await deps.keep(job._id))) break;
    const chunk = deliveries.slice(at, at + CHUNK).filter(({ endpointId }) => open.has(endpointId));
    retried += await retryAll(deps, chunk);
  }
  return { replayed: retried, skipped: deliveries.length - retried, atRunLimit: 0 };
}

/** @returns how many attempts were made, or are made now */
async function retryAll(deps: RetryPageDeps, deliveries: readonly JournaledDelivery[]): Promise<number> {
  const [runs, now] = await Promise.all([deps.deliveries.findRuns(deliveries), deps.dispatch.now()]);
  const numbers = new Map(deliveries.map(({ eventId, endpointId, number }) => [`${eventId}.${endpointId}`, number!]));
  const isMade = ({ event, destination }: ListedDelivery): boolean =>
    destination.attempt_count >= numbers.get(`${event._id}.${destination.endpoint_id}`)! || isClaimed(destination, now);
  // A held one is due already: its endpoint's gate decides when.
  const waiting = runs.filter(
    (run) => !isMade(run) && !isFinished(run.destination.state) && run.destination.dispatch !== 'held',
  );
  const started = await inParallel(waiting, STARTS_IN_FLIGHT, (run) => deps.retryRun(run, now));
  requireMost(started, waiting.length);
  return runs.filter(isMade).length + started;
}
