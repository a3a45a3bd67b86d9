import type { DeliveryListFilter, DeliveryListStore, ListedDelivery } from '../src/deliveries/list-store';
import type { DeliveryStore } from '../src/deliveries/store';
import type { DeliveryRef } from '../src/domain/delivery-contract';
import { replayPageSize, type ReplayActivities } from '../src/domain/replay-contract';
import type { EndpointStore } from '../src/endpoints/store';
import type { Logger } from '../src/platform/logger';
import type { JournaledPage, PageResult, ReplayJob, ReplayStore } from '../src/replays/store';

/** What bulk replays need. */
export interface ReplayDeps {
  readonly replays: ReplayStore;
  readonly deliveries: Pick<DeliveryStore, 'replayAll' | 'findReplayed'>;
  readonly deliveryLists: DeliveryListStore;
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
  /** Starts the workflow of a run that is not finished. Rejects when Temporal does not take it. */
  readonly startRun: (run: ListedDelivery) => Promise<void>;
  /** Tells Temporal that the activity lives. */
  readonly heartbeat: () => void;
  readonly logger: Logger;
}

const COUNT_PAGE = 5_000;
/** So many are begun with one write and then started, before the job is looked at again. */
const CHUNK = 50;
const STARTS_IN_FLIGHT = 16;

/** Makes the activities of bulk replays. Each may be run any number of times, in two processes at once too. */
export function createReplayActivities(deps: ReplayDeps): ReplayActivities {
  return {
    async countReplay(jobId) {
      const job = await deps.replays.find(jobId);
      if (job?.state === 'running' && job.matched === null)
        await deps.replays.setMatched(jobId, await count(deps, job));
    },
    async replayPage(jobId) {
      const job = await takePage(deps, jobId);
      if (!job?.page) return null;
      const result = await replay(deps, job, job.page);
      const after = await deps.replays.endPage(job, result);
      return {
        taken: result.replayed + result.skipped,
        ratePerSecond: job.rate_per_second,
        replayed: after?.replayed ?? 0,
        matched: after?.matched ?? 0,
      };
    },
    recordReplayCancelled: async (jobId) => void (await deps.replays.end(jobId, 'cancelled')),
  };
}

/** The job's deliveries: what was finished when it was created. What it makes fail again is none of them. */
function filterOf({ account_id: accountId, filter, created_at: createdAt }: ReplayJob): DeliveryListFilter {
  const { endpoint_id: endpointId, type, after, before, completed_after: completedFrom } = filter;
  const { completed_before: completedBefore } = filter;
  return {
    accountId,
    endpointId: endpointId ?? undefined,
    states: [filter.state],
    type: type ?? undefined,
    after: after ?? undefined,
    before: before ?? undefined,
    completedFrom: completedFrom ?? undefined,
    // `completedTo` is inside of its range, and `completed_before` is not.
    completedTo: completedBefore && completedBefore <= createdAt ? new Date(completedBefore.getTime() - 1) : createdAt,
  };
}

async function count({ deliveryLists, heartbeat }: ReplayDeps, job: ReplayJob): Promise<number> {
  let counted = 0;
  for (let from: JournaledPage['next'] | undefined; from !== null;) {
    const page = await deliveryLists.page(filterOf(job), { order: 'oldest first', limit: COUNT_PAGE, from });
    counted += page.deliveries.length;
    from = page.next;
    heartbeat();
  }
  return counted;
}

/** The page to be replayed: the one that was begun, or the next one. @returns null when the job has ended, maybe now */
async function takePage(deps: ReplayDeps, jobId: string): Promise<ReplayJob | null> {
  for (;;) {
    const job = await deps.replays.find(jobId);
    // One that was begun is counted to the end, whatever became of the job.
    if (job?.page) return job;
    if (job?.state !== 'running') return null;
    if (job.is_exhausted) {
      await deps.replays.end(jobId, 'completed');
      return null;
    }
    const limit = replayPageSize(job.rate_per_second);
    const from = job.position ?? undefined;
    const { deliveries, next } = await deps.deliveryLists.page(filterOf(job), { order: 'oldest first', limit, from });
    await deps.replays.beginPage(job, { deliveries: deliveries.map(refOf), next });
    deps.heartbeat();
  }
}

async function replay(deps: ReplayDeps, job: ReplayJob, { deliveries }: JournaledPage): Promise<PageResult> {
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const endpoints = new Set((await deps.endpoints.findMany(endpointIds)).map(({ _id }) => _id));
  const possible = deliveries.filter(({ endpointId }) => endpoints.has(endpointId));
  let replayed = 0;
  for (let at = 0; at < possible.length; at += CHUNK) {
    const chunk = possible.slice(at, at + CHUNK);
    const isRunning = (await deps.replays.find(job._id))?.state === 'running';
    // Once the job is cancelled, nothing new is begun.
    if (isRunning) await deps.deliveries.replayAll(chunk, job._id);
    const runs = await deps.deliveries.findReplayed(chunk, job._id);
    replayed += runs.length;
    await startAll(deps, runs);
    deps.heartbeat();
  }
  return { replayed, skipped: deliveries.length - replayed };
}

/**
 * Starts what is not known to be started. What does not start is left to the sweeper: nothing of it holds the job up.
 *
 * @throws Error when Temporal takes hardly any: the page is done again, later
 */
async function startAll({ startRun, heartbeat, logger }: ReplayDeps, runs: readonly ListedDelivery[]): Promise<void> {
  // One that is finished was started by a call whose answer got lost.
  const queue = runs.filter(({ destination }) => destination.dispatch === 'due');
  const total = queue.length;
  let failed = 0;
  const lane = async (): Promise<void> => {
    for (let run = queue.shift(); run; run = queue.shift()) {
      await startRun(run).catch((error: unknown) => {
        failed += 1;
        logger.info({ err: error, event_id: run.event._id }, 'a replayed delivery was not started; the sweeper will');
      });
      heartbeat();
    }
  };
  await Promise.all(Array.from({ length: STARTS_IN_FLIGHT }, lane));
  if (failed > 1 && failed > total / 2)
    throw new Error(`${failed} of ${total} replayed deliveries could not be started`);
}

function refOf({ event, destination }: ListedDelivery): DeliveryRef {
  return { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run };
}
