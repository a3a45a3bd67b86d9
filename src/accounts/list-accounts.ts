import { decodeCursor, encodeCursor } from '../platform/cursor';
import type { Account, AccountStore } from './account-store';

/**
 * One page of all accounts, newest first.
 *
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listAccounts(
  deps: { accounts: AccountStore },
  query: { limit: number; cursor?: string | undefined },
): Promise<{ page: Account[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? undefined : decodeCursor('accounts', query.cursor);
  const found = await deps.accounts.page(query.limit + 1, after);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > query.limit && last !== undefined;
  return { page, nextCursor: hasMore ? encodeCursor('accounts', { createdAt: last.created_at, id: last._id }) : null };
}
