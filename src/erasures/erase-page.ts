import type { DeliveryRef } from '../domain/delivery-contract';
import type { RehearsalStore } from '../rehearsals/rehearsal-store';
import { MAX_ATTEMPTS_AT_ONCE, type ErasedDataStore } from '../stores/erased-data-store';
import type { EventListStore } from '../stores/list-events-store';
import type { ErasureJob, ErasureStore } from './erasure-store';
import { unfinishedOf, wakeCancelled, type WakeDeps } from './wake-cancelled';

/** What the pages of an erasure need. */
export interface ErasePageDeps extends WakeDeps {
  readonly erasures: Pick<ErasureStore, 'find' | 'searchOf' | 'beginPage' | 'endPage'>;
  readonly eventLists: Pick<EventListStore, 'page'>;
  readonly erasedData: Pick<ErasedDataStore, 'eraseEvents' | 'eraseAttempts'>;
  readonly rehearsals: Pick<RehearsalStore, 'removeAllOf'>;
}

/** Events of a page: each of its writes takes some 10 ms, and others are served between two of them. */
const PAGE = 100;

/**
 * Erases one page of events; first a page that was begun and not finished. Can be repeated, and run by two processes at
 * once.
 *
 * @param keep keeps the erasure for this process. @throws Error when another process has it
 * @returns whether there is more to do
 */
export async function erasePage(deps: ErasePageDeps, jobId: string, keep: () => Promise<unknown>): Promise<boolean> {
  const found = await deps.erasures.find(jobId);
  if (found?.state !== 'running') return false;
  const begun = found.page ? { job: found, cancelled: [] } : await beginPage(deps, found);
  if (!begun) return true;
  const { job, cancelled } = begun;
  const { account_id: accountId, page, is_last: isLast } = job;
  await deps.erasedData.eraseEvents(accountId, page ?? []);
  while (!(await deps.erasedData.eraseAttempts(page ?? [], MAX_ATTEMPTS_AT_ONCE))) await keep();
  // They may hold bodies of these events.
  if (isLast) await deps.rehearsals.removeAllOf(accountId);
  await deps.erasures.endPage(job);
  await wakeCancelled(deps, cancelled);
  return !isLast;
}

/**
 * Finds the next events and stores which they are. Erased events are not found again, so each page begins at the oldest
 * event that is left.
 *
 * @returns undefined when another process did that
 */
async function beginPage(
  deps: ErasePageDeps,
  job: ErasureJob,
): Promise<{ readonly job: ErasureJob; readonly cancelled: readonly DeliveryRef[] } | undefined> {
  const { account_id: accountId, created_at: createdAt } = job;
  const filter = { accountId, search: await deps.erasures.searchOf(job) };
  const { events, next } = await deps.eventLists.page(filter, { order: 'oldest first', limit: PAGE });
  const page = events.map(({ _id }) => _id);
  // Acceptance is stored to the second.
  const isYounger = (events.at(-1)?.accepted_at.t ?? 0) * 1_000 > createdAt.getTime();
  const isLast = next === null || isYounger;
  if (!(await deps.erasures.beginPage(job, page, isLast))) return undefined;
  return { job: { ...job, page, is_last: isLast }, cancelled: unfinishedOf(events) };
}
