import { decodeCursor, encodeCursor } from '../platform/cursor';
import type { ReplayJob, ReplayStore } from './replay-store';

/** What `listReplays` needs. */
export interface ListReplaysDeps {
  readonly replays: Pick<ReplayStore, 'page'>;
}

/**
 * One page of an account's bulk replays, newest first.
 *
 * @returns the page, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listReplays(
  deps: ListReplaysDeps,
  accountId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<{ page: ReplayJob[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? undefined : decodeCursor('replays', query.cursor);
  const found = await deps.replays.page(accountId, query.limit + 1, after);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > query.limit && last !== undefined;
  return { page, nextCursor: hasMore ? encodeCursor('replays', { createdAt: last.created_at, id: last._id }) : null };
}
