import type { ReplayableState } from '../domain/replay-contract';
import { ConflictError } from '../domain/errors';
import { findEndpoint } from '../endpoints/find-endpoint';
import type { EndpointStore } from '../record/endpoint-store';
import { newId } from '../platform/ids';
import type { ReplayJob, ReplayStore } from './replay-store';

/** What `createReplay` needs. */
export interface CreateReplayDeps {
  readonly replays: Pick<ReplayStore, 'insert' | 'countRunning'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
}

/** A validated request. What is left out selects all. */
export interface CreateReplayInput {
  readonly state: ReplayableState;
  readonly endpointId?: string | undefined;
  readonly type?: string | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  readonly completedAfter?: Date | undefined;
  readonly completedBefore?: Date | undefined;
  readonly ratePerSecond: number;
}

/** An account's bulk replays share its deliveries; more of them at a time get nothing done sooner. */
const MOST_RUNNING = 10;

/**
 * Takes a bulk replay in. It is durable when this resolves; a worker runs it.
 * What it will send is settled by now: deliveries that finish later are not among them, its own least of all.
 *
 * @throws NotFoundError when the endpoint of the filter does not exist, or is another account's
 * @throws ConflictError when ten replays of the account are running
 */
export async function createReplay(
  deps: CreateReplayDeps,
  { accountId, now }: { accountId: string; now: Date },
  input: CreateReplayInput,
): Promise<ReplayJob> {
  if (input.endpointId !== undefined) await findEndpoint(deps, accountId, input.endpointId);
  if ((await deps.replays.countRunning(accountId)) >= MOST_RUNNING) {
    throw new ConflictError(
      `This account has ${MOST_RUNNING} replays running, which is the limit. Wait for one, or cancel it.`,
      'replay_limit_reached',
    );
  }
  const job = newJob(accountId, now, input);
  await deps.replays.insert(job);
  return job;
}

function newJob(accountId: string, now: Date, input: CreateReplayInput): ReplayJob {
  return {
    _id: newId('rpl'),
    account_id: accountId,
    filter: {
      state: input.state,
      endpoint_id: input.endpointId ?? null,
      type: input.type ?? null,
      after: input.after ?? null,
      before: input.before ?? null,
      completed_after: input.completedAfter ?? null,
      completed_before: input.completedBefore ?? null,
    },
    rate_per_second: input.ratePerSecond,
    state: 'running',
    created_at: now,
    finished_at: null,
    matched: null,
    replayed: 0,
    skipped: 0,
    pages: 0,
    page: null,
    position: null,
    is_exhausted: false,
    claimed_by: null,
    due_at: now,
  };
}
