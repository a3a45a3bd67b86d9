import { decodeCursor, encodeCursor } from '../platform/cursor';
import type { AuditEntry, AuditFilter, AuditStore } from './audit-store';

/**
 * One page of a log, newest first.
 *
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listAudit(
  deps: { audit: Pick<AuditStore, 'page'> },
  filter: AuditFilter,
  query: { limit: number; cursor?: string | undefined },
): Promise<{ page: AuditEntry[]; nextCursor: string | null }> {
  const behind = query.cursor === undefined ? undefined : decodeCursor('audit', query.cursor);
  const found = await deps.audit.page({ ...filter, limit: query.limit + 1, behind });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > query.limit && last !== undefined;
  return { page, nextCursor: hasMore ? encodeCursor('audit', { createdAt: last.at, id: last._id }) : null };
}
