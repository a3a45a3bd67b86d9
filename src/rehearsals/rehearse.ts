import { NotFoundError } from '../domain/errors';
import { decideRehearsal, type DecideRehearsalDeps, type RehearsalCaller } from './decide-rehearsal';
import { DIED, type Rehearsal, type RehearsalStore } from './rehearsal-store';
import type { RehearsalRunner } from './run-rehearsals';
import type { CreateRehearsalBody } from './schema';

/** What the operations on rehearsals need. */
export interface RehearsalDeps extends DecideRehearsalDeps {
  readonly rehearsals: Pick<RehearsalStore, 'find'>;
  readonly rehearsalRunner: Pick<RehearsalRunner, 'run'>;
}

/**
 * Finds out what a change would have done to the newest stored events. It changes nothing.
 *
 * @param waitMs how long to wait for the result
 * @returns the rehearsal, which may be running
 * @throws what the change itself would throw (`decideRehearsal`), and what the runner throws
 */
export async function rehearse(
  deps: RehearsalDeps,
  caller: RehearsalCaller,
  { change, window, limit }: CreateRehearsalBody,
  waitMs: number,
): Promise<Rehearsal> {
  const decided = await decideRehearsal(deps, caller, change);
  const selection = {
    accountId: caller.accountId,
    type: decided.kind === 'event_type' ? decided.name : undefined,
    after: window?.after,
    before: window?.before,
    limit,
  };
  return deps.rehearsalRunner.run(decided, selection, caller.now, waitMs);
}

/**
 * Finds an account's rehearsal. One whose process died has failed once it should have ended.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account: the answers are the same
 */
export async function getRehearsal(
  { rehearsals }: Pick<RehearsalDeps, 'rehearsals'>,
  { accountId, now }: { readonly accountId: string; readonly now: Date },
  id: string,
): Promise<Rehearsal> {
  const found = await rehearsals.find(id);
  if (!found || found.account_id !== accountId) throw rehearsalNotFound();
  return found.state === 'running' && found.deadline_at <= now ? { ...found, state: 'failed', error: DIED } : found;
}

/** The error for a rehearsal that does not exist or is not the caller's. */
export function rehearsalNotFound(): NotFoundError {
  return new NotFoundError('There is no rehearsal with this id. It is kept for an hour.', 'rehearsal_not_found');
}
