import { ConflictError, NotFoundError } from '../domain/errors';
import { findEndpoint } from '../endpoints/find-endpoints';
import type { EndpointStore } from '../stores/endpoint-store';
import { readPage, type PageQuery } from '../platform/cursor';
import { newId } from '../platform/ids';
import type { By } from '../domain/audit-actions';
import { toReplayFilter, type ReplaySelection } from './replay-filter';
import type { ReplayChange, ReplayJob, ReplayStore } from './replay-store';

/** What the operations on bulk replays need. */
export interface ReplayDeps {
  readonly replays: Pick<ReplayStore, 'insert' | 'find' | 'page' | 'change' | 'end'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
}

/** A validated request. */
export interface CreateReplayInput extends ReplaySelection {
  readonly ratePerSecond: number;
}

/** An account's bulk replays share its deliveries, so more at a time finish nothing sooner. */
const MAX_RUNNING = 10;

/**
 * Accepts a bulk replay. It is durable when this resolves; a worker runs it. Its deliveries are fixed by now: those
 * that finish later, including its own, are not among them.
 *
 * @throws NotFoundError when the endpoint of the filter does not exist, or belongs to another account
 * @throws ConflictError when ten replays of the account are running
 */
export async function createReplay(
  deps: ReplayDeps,
  { accountId, now }: { accountId: string; now: Date },
  input: CreateReplayInput,
): Promise<ReplayJob> {
  if (input.endpointId !== undefined) await findEndpoint(deps, accountId, input.endpointId);
  const job = newJob(accountId, now, input);
  if (!(await deps.replays.insert(job, MAX_RUNNING))) {
    throw new ConflictError(
      `This account has ${MAX_RUNNING} replays running, which is the limit. Wait for one, or cancel it.`,
      'replay_limit_reached',
    );
  }
  return job;
}

function newJob(accountId: string, now: Date, input: CreateReplayInput): ReplayJob {
  return {
    _id: newId('rpl'),
    account_id: accountId,
    filter: toReplayFilter(input),
    rate_per_second: input.ratePerSecond,
    state: 'running',
    paused: false,
    created_at: now,
    finished_at: null,
    matched: null,
    replayed: 0,
    skipped: 0,
    at_run_limit: 0,
    pages: 0,
    page: null,
    position: null,
    is_exhausted: false,
    claimed_by: null,
    due_at: now,
  };
}

/**
 * Finds an account's bulk replay.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account: the answers are the same
 */
export async function getReplay(
  { replays }: Pick<ReplayDeps, 'replays'>,
  accountId: string,
  id: string,
): Promise<ReplayJob> {
  const job = await replays.find(id);
  if (!job || job.account_id !== accountId) {
    throw replayNotFound();
  }
  return job;
}

/**
 * One page of an account's bulk replays, newest first.
 *
 * @returns the page, and the cursor of the next page, or null at the end
 * @throws InvalidRequestError for an invalid cursor
 */
export function listReplays({ replays }: Pick<ReplayDeps, 'replays'>, accountId: string, query: PageQuery) {
  return readPage('replays', query, (limit, after) => replays.page(accountId, limit, after));
}

/**
 * Changes the rate of a running bulk replay, pauses it, or lets it go on. It takes effect with the next page: what the
 * job is starting at this moment is at most two seconds' worth.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account
 * @throws ConflictError when it has ended
 */
export async function changeReplay(
  deps: Pick<ReplayDeps, 'replays'>,
  { accountId, id, ...by }: By & { readonly accountId: string; readonly id: string },
  wish: { readonly [Field in keyof ReplayChange]?: ReplayChange[Field] | undefined },
): Promise<ReplayJob> {
  for (;;) {
    const job = await getReplay(deps, accountId, id);
    if (job.state !== 'running') throw hasEnded(job);
    const { rate_per_second: rate, paused = false } = job;
    const next = { rate_per_second: wish.rate_per_second ?? rate, paused: wish.paused ?? paused };
    if (next.rate_per_second === rate && next.paused === paused) return job;
    const changed = await deps.replays.change(job, next, by);
    if (changed) return changed;
  }
}

/**
 * Ends a running bulk replay: it starts no further deliveries. Those already started continue.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account
 * @throws ConflictError when it has ended
 */
export async function cancelReplay(
  deps: Pick<ReplayDeps, 'replays'>,
  accountId: string,
  id: string,
): Promise<ReplayJob> {
  await getReplay(deps, accountId, id);
  const isCancelled = await deps.replays.end(id, 'cancelled');
  const job = await getReplay(deps, accountId, id);
  if (!isCancelled) throw hasEnded(job);
  return job;
}

function hasEnded({ state }: ReplayJob): ConflictError {
  return new ConflictError(`This replay is ${state} already.`, 'replay_finished');
}

/** The error for a replay that does not exist or is not the caller's. */
export function replayNotFound(): NotFoundError {
  return new NotFoundError('There is no replay with this id.', 'replay_not_found');
}
