import type { By } from '../domain/audit-actions';
import { csvLine } from '../platform/csv';
import { readPage, type PageQuery } from '../platform/cursor';
import { lineOf } from './audit-chain';
import type { AuditEntry, AuditFilter, AuditLog, AuditStore } from './audit-store';

/**
 * One page of a log, newest first.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
export function listAudit({ audit }: { audit: Pick<AuditStore, 'page'> }, filter: AuditFilter, query: PageQuery) {
  return readPage('audit', query, (limit, after) => audit.page(filter, limit, after));
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
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { page, nextCursor } = await listAudit({ audit }, filter, { limit: PAGE, cursor });
    if (page.length > 0) yield page.map((entry) => csvLine(cellsOf(entry))).join('');
    cursor = nextCursor;
  }
}

/**
 * A log as JSON lines, newest first, in pieces of whole lines: entries with their place in the chain, so that others can
 * verify them.
 */
export async function* exportAuditLines(
  { audit }: { audit: Pick<AuditStore, 'page'> },
  filter: AuditFilter,
): AsyncGenerator<string, void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { page, nextCursor } = await listAudit({ audit }, filter, { limit: PAGE, cursor });
    if (page.length > 0) yield page.map((entry) => `${JSON.stringify(lineOf({ ...entry }))}\n`).join('');
    cursor = nextCursor;
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
