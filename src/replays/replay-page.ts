import type { DeliveryListStore, ListedDelivery } from '../stores/list-deliveries-store';
import type { DeliveryStore } from '../stores/delivery-store';
import type { DeliveryRef } from '../domain/delivery-contract';
import { MAX_RUNS, replayPageSize } from '../domain/replay-contract';
import type { EndpointStore } from '../stores/endpoint-store';
import type { DeliveryBudget } from '../limits/delivery-budget';
import { inParallel } from '../platform/concurrency-limit';
import { deliveriesOf } from './replay-filter';
import type { JournaledPage, PageResult, ReplayJob, ReplayStore } from './replay-store';

/** What the pages of a bulk replay need. */
export interface ReplayPageDeps {
  readonly replays: Pick<ReplayStore, 'find' | 'setMatched' | 'beginPage' | 'endPage' | 'end'>;
  readonly deliveries: Pick<DeliveryStore, 'replayAll' | 'findReplayed'>;
  readonly deliveryLists: DeliveryListStore;
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
  /** Starts the workflow of an unfinished run. Rejects when Temporal refuses it. */
  readonly startRun: (run: ListedDelivery) => Promise<unknown>;
  /**
   * Keeps the job for this process.
   *
   * @returns whether it is still running: once it is cancelled, nothing new is started
   * @throws Error when another process has it
   */
  readonly keep: (jobId: string) => Promise<boolean>;
  /** The account's budget of deliveries a minute: a job waits for it. */
  readonly budget: Pick<DeliveryBudget, 'takeForReplay' | 'giveBackNow'>;
}

/** The result of a page. */
export type PageTaken =
  /** How many deliveries were replayed or skipped. */
  | { readonly kind: 'done'; readonly count: number }
  /** The account's deliveries of the minute are used up. Nothing was started. */
  | { readonly kind: 'no budget'; readonly waitMs: number }
  /** The job has ended, maybe just now. */
  | { readonly kind: 'ended' };

const COUNT_PAGE = 5_000;
/** This many runs are created with one write and then started, before the job is checked again. */
const CHUNK = 50;
const STARTS_IN_FLIGHT = 16;

/** Counts what a job will replay, unless that is known. Can be repeated. */
export async function countReplay(deps: ReplayPageDeps, job: ReplayJob): Promise<void> {
  if (job.matched !== null) return;
  let counted = 0;
  for (let from: JournaledPage['next'] | undefined; from !== null;) {
    const page = await deps.deliveryLists.page(deliveriesOf(job), { order: 'oldest first', limit: COUNT_PAGE, from });
    counted += page.deliveries.length;
    from = page.next;
    if (!(await deps.keep(job._id))) return;
  }
  await deps.replays.setMatched(job._id, counted);
}

/**
 * Replays one page; first a page that was started and not finished. Can be repeated, and run by two processes at once.
 *
 * @throws Error when Temporal accepts hardly any starts: the page must be repeated later
 */
export async function replayPage(deps: ReplayPageDeps, jobId: string): Promise<PageTaken> {
  const job = await takePage(deps, jobId);
  if ('kind' in job) return job;
  const result = await replay(deps, job, job.page);
  await deps.replays.endPage(job, result);
  return { kind: 'done', count: result.replayed + result.skipped };
}

/** A job with the page that it is replaying. */
type JobWithPage = ReplayJob & { readonly page: JournaledPage };

/**
 * The page to replay: the one that was started, or the next one. A page is counted once in the account's budget, before
 * it is stored, including deliveries that are skipped later.
 */
async function takePage(
  deps: ReplayPageDeps,
  jobId: string,
): Promise<JobWithPage | Exclude<PageTaken, { kind: 'done' }>> {
  for (;;) {
    const job = await deps.replays.find(jobId);
    // A page that was started is counted to its end, even if the job ended.
    if (job?.page) return job as JobWithPage;
    if (job?.state !== 'running') return { kind: 'ended' };
    if (job.is_exhausted) {
      await deps.replays.end(jobId, 'completed');
      return { kind: 'ended' };
    }
    const { account_id: accountId } = job;
    const { granted: limit, nextInMs } = await deps.budget.takeForReplay(
      accountId,
      replayPageSize(job.rate_per_second),
    );
    if (limit === 0) return { kind: 'no budget', waitMs: nextInMs };
    const from = job.position ?? undefined;
    const { deliveries, next } = await deps.deliveryLists
      .page(deliveriesOf(job), { order: 'oldest first', limit, from })
      .catch(async (error: unknown) => {
        await deps.budget.giveBackNow(accountId, limit);
        throw error;
      });
    const isBegun = await deps.replays.beginPage(job, { deliveries: deliveries.map(refOf), next });
    await deps.budget.giveBackNow(accountId, isBegun ? limit - deliveries.length : limit);
  }
}

async function replay(deps: ReplayPageDeps, job: ReplayJob, { deliveries }: JournaledPage): Promise<PageResult> {
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const endpoints = new Set((await deps.endpoints.findMany(endpointIds)).map(({ _id }) => _id));
  const possible = deliveries.filter(({ endpointId, run }) => endpoints.has(endpointId) && run < MAX_RUNS);
  let replayed = 0;
  for (let at = 0; at < possible.length; at += CHUNK) {
    const chunk = possible.slice(at, at + CHUNK);
    if (await deps.keep(job._id)) await deps.deliveries.replayAll(chunk, job._id);
    const runs = await deps.deliveries.findReplayed(chunk, job._id);
    replayed += runs.length;
    await startAll(deps, runs);
  }
  const atRunLimit = deliveries.filter(({ run }) => run >= MAX_RUNS).length;
  return { replayed, skipped: deliveries.length - replayed, atRunLimit };
}

/**
 * Starts the runs that are not known to be started. A failed start is left to the sweeper, and doesn't block the job.
 */
async function startAll({ startRun }: ReplayPageDeps, runs: readonly ListedDelivery[]): Promise<void> {
  // A finished one was started by a call whose answer was lost.
  const due = runs.filter(({ destination }) => destination.dispatch === 'due');
  const started = await inParallel(due, STARTS_IN_FLIGHT, (run) => startRun(run).then(() => true));
  const failed = due.length - started;
  if (failed > 1 && failed > due.length / 2) {
    throw new Error(`${failed} of ${due.length} replayed deliveries could not be started`);
  }
}

function refOf({ event, destination }: ListedDelivery): DeliveryRef {
  return { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run };
}
