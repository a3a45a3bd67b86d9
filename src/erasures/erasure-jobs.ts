import { ConflictError, NotFoundError, UnprocessableError } from '../domain/errors';
import { aboutUnknownField, splitSearchValue } from '../domain/search-values';
import { readPage, type PageQuery } from '../platform/cursor';
import { newId } from '../platform/ids';
import type { ErasureJob, ErasureStore } from './erasure-store';

/** What the operations on erasures need. */
export interface ErasureDeps {
  readonly erasures: Pick<ErasureStore, 'insert' | 'find' | 'page'>;
}

/** An account's erasures share the database, so more at a time finish nothing sooner. */
const MAX_RUNNING = 10;

/**
 * Accepts an erasure of the data of all events of an account that have a search value. It is durable when this resolves;
 * a worker runs it.
 *
 * @param search `<field>:<value>`
 * @throws UnprocessableError when the field is not a search field of the account: nothing could be found by it
 * @throws ConflictError when ten erasures of the account are running
 */
export async function createErasure(
  deps: ErasureDeps,
  { accountId, now, searchFields }: { accountId: string; now: Date; searchFields: readonly string[] },
  search: string,
): Promise<ErasureJob> {
  const { field } = splitSearchValue(search);
  if (!searchFields.includes(field)) throw unknownSearchField(field, searchFields);
  const job: ErasureJob = {
    ...{ _id: newId('ers'), account_id: accountId, state: 'running', field },
    ...{ created_at: now, finished_at: null, erased: 0, pages: 0, page: null, is_last: false },
    ...{ claimed_by: null, due_at: now },
  };
  if (await deps.erasures.insert(job, search, MAX_RUNNING)) return job;
  throw new ConflictError(
    `This account has ${MAX_RUNNING} erasures running, which is the limit. Wait for one.`,
    'erasure_limit_reached',
  );
}

/**
 * Finds an account's erasure.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account: the answers are the same
 */
export async function getErasure(
  { erasures }: Pick<ErasureDeps, 'erasures'>,
  accountId: string,
  id: string,
): Promise<ErasureJob> {
  const job = await erasures.find(id);
  if (!job || job.account_id !== accountId) throw erasureNotFound();
  return job;
}

/**
 * One page of an account's erasures, newest first.
 *
 * @returns the page, and the cursor of the next page, or null at the end
 * @throws InvalidRequestError for an invalid cursor
 */
export function listErasures({ erasures }: Pick<ErasureDeps, 'erasures'>, accountId: string, query: PageQuery) {
  return readPage('erasures', query, (limit, after) => erasures.page(accountId, limit, after));
}

/** The error for an erasure that does not exist or is not the caller's. */
export function erasureNotFound(): NotFoundError {
  return new NotFoundError('There is no erasure with this id.', 'erasure_not_found');
}

function unknownSearchField(field: string, known: readonly string[]): UnprocessableError {
  const { message, which } = aboutUnknownField(field, known);
  return new UnprocessableError(
    `"data" ${message}. ${which} Erase the events one by one, by their ids.`,
    'unknown_search_field',
    [{ path: 'data', message }],
  );
}
