import { decodeCursor, encodeCursor } from '../platform/cursor';
import type { AuditAction } from '../domain/audit-actions';
import type { AuditEntry, AuditStore } from './store';

/**
 * One page of a log, newest first.
 *
 * @param accountId null for what belongs to no account
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listAudit(
  deps: { audit: AuditStore },
  accountId: string | null,
  query: { limit: number; cursor?: string | undefined; action?: AuditAction | undefined },
): Promise<{ page: AuditEntry[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? undefined : decodeCursor('audit', query.cursor);
  const found = await deps.audit.page({ accountId, limit: query.limit + 1, after, action: query.action });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > query.limit && last !== undefined;
  return { page, nextCursor: hasMore ? encodeCursor('audit', { createdAt: last.at, id: last._id }) : null };
}
