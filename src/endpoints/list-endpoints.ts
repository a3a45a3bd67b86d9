import { decodeCursor, encodeCursor } from '../platform/cursor';
import type { Endpoint, EndpointStore } from '../record/endpoint-store';

/**
 * One page of an account's endpoints, newest first.
 *
 * @returns the page, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listEndpoints(
  deps: { endpoints: EndpointStore },
  accountId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<{ page: Endpoint[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? undefined : decodeCursor('endpoints', query.cursor);
  const found = await deps.endpoints.page(accountId, query.limit + 1, after);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > query.limit && last !== undefined;
  return { page, nextCursor: hasMore ? encodeCursor('endpoints', { createdAt: last.created_at, id: last._id }) : null };
}
