import type { By } from '../domain/audit-actions';
import { decodeCursor, encodeCursor } from '../platform/cursor';
import type { AuditEntry, AuditFilter, AuditLog, AuditStore } from './audit-store';

/**
 * One page of a log, newest first.
 *
 * @throws InvalidRequestError for an invalid cursor
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

/** The value that selects entries that belong to no account: sign-ins with unknown addresses. */
const NO_ACCOUNT = 'none';

/** The account whose log is requested: its id, or null for `none`. */
export function accountOfLog(named: string): string | null {
  return named === NO_ACCOUNT ? null : named;
}

/** Records in a log that it was read. */
export function noteRead({ audit }: { audit: AuditLog }, accountId: string | null, by: By): Promise<void> {
  return audit.record({ ...by, accountId, action: 'audit.read', object: accountId });
}

const COLUMNS = ['id', 'at', 'account_id', 'actor_type', 'actor_id', 'actor_name', 'action', 'object', 'address'];
const PAGE = 500;

/**
 * A log as CSV (RFC 4180) with a header line, newest first, in pieces of whole lines.
 *
 * A cell that a spreadsheet would evaluate as a formula begins with an apostrophe.
 */
export async function* exportAudit(
  { audit }: { audit: Pick<AuditStore, 'page'> },
  filter: AuditFilter,
): AsyncGenerator<string, void> {
  yield csvLine([...COLUMNS, 'detail', 'changes']);
  for (let behind: { createdAt: Date; id: string } | undefined; ;) {
    const page: AuditEntry[] = await audit.page({ ...filter, limit: PAGE, behind });
    if (page.length > 0) yield page.map((entry) => csvLine(cellsOf(entry))).join('');
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    behind = { createdAt: last.at, id: last._id };
  }
}

function cellsOf({ _id, at, account_id: accountId, actor, action, object, address, ...more }: AuditEntry) {
  const who = [actor.type, actor.id, actor.name];
  return [_id, at.toISOString(), accountId, ...who, action, object, address, more.detail, describeChanges(more)];
}

/** `url: a.example → b.example; options.headers`. */
export function describeChanges({ changes = [] }: Pick<AuditEntry, 'changes'>): string {
  return changes
    .map(({ field, from, to }) =>
      from === undefined && to === undefined ? field : `${field}: ${from ?? 'none'} → ${to ?? 'none'}`,
    )
    .join('; ');
}

function csvLine(cells: readonly (string | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

/**
 * Every cell is quoted. A text that begins like a formula, even after white space, gets an apostrophe (OWASP, "CSV
 * Injection").
 */
export function csvCell(text: string): string {
  const plain = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
