import type { DeliveryListStore, ListedDelivery } from '../stores/list-deliveries-store';
import type { DeliveryStore } from '../stores/delivery-store';
import { MAX_RUNS, replayPageSize } from '../domain/replay-contract';
import type { EndpointStore } from '../stores/endpoint-store';
import type { DeliveryBudget } from '../limits/delivery-budget';
import { inParallel } from '../platform/concurrency-limit';
import { deliveriesOf } from './replay-filter';
import type { JournaledDelivery, JournaledPage, PageResult, ReplayJob, ReplayStore } from './replay-store';
import { retryDeliveries, type RetryPageDeps } from './retry-page';
import { CHUNK, requireMost, STARTS_IN_FLIGHT } from './start-runs';

/** What the pages of a bulk replay need. */
export interface ReplayPageDeps extends RetryPageDeps {
  readonly replays: Pick<ReplayStore, 'find' | 'setMatched' | 'beginPage' | 'endPage' | 'end'>;
  readonly deliveries: Pick<DeliveryStore, 'replayAll' | 'findReplayed' | 'findRuns'>;
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
  /** How many deliveries were replayed or skipped, and the job's rate now. */
  | { readonly kind: 'done'; readonly count: number; readonly ratePerSecond: number }
  /** The account's deliveries of the minute are used up. Nothing was started. */
  | { readonly kind: 'no budget'; readonly waitMs: number }
  /** The job starts nothing more until it is resumed. */
  | { readonly kind: 'paused' }
  /** The job has ended, maybe just now. */
  | { readonly kind: 'ended' };

const COUNT_PAGE = 5_000;

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
  const send = job.filter.state === 'retrying' ? retryDeliveries : replay;
  const result = await send(deps, job, job.page);
  await deps.replays.endPage(job, result);
  return { kind: 'done', count: result.replayed + result.skipped, ratePerSecond: job.rate_per_second };
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
    if (job.paused) return { kind: 'paused' };
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
    const isBegun = await deps.replays.beginPage(job, { deliveries: deliveries.map(journaled), next });
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
  requireMost(started, due.length);
}

function journaled({ event, destination }: ListedDelivery): JournaledDelivery {
  const { endpoint_id: endpointId, run, state, attempt_count: made } = destination;
  return { eventId: event._id, endpointId, run, ...(state === 'retrying' && { number: made + 1 }) };
}
