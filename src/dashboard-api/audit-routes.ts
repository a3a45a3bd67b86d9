import { Readable } from 'node:stream';
import { z } from 'zod';
import { accountOfLog, exportAudit, listAudit, noteRead } from '../accounts/read-audit';
import type { AuditFilter, AuditStore } from '../accounts/audit-store';
import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import type { HttpContext } from '../http/request-state';
import { presentAuditEntry } from './present';
import { requireOperator } from './require-session';
import { auditExportQuery, auditListView, auditQuery } from './schema';

interface AuditRouteDeps {
  readonly audit: AuditStore;
}

/**
 * Adds the audit log. Operators may name another account, or `none` for entries that belong to no account; such a read
 * is recorded in that log.
 */
export function addAuditRoutes(api: RouteApi, deps: AuditRouteDeps): void {
  // The account's log, newest first.
  addRoute(
    api,
    { id: 'listAudit', method: 'get', path: '/dashboard/api/audit', query: auditQuery, answer: auditListView },
    async ({ query, ctx }) => {
      const { limit, cursor, ...asked } = query;
      const filter = filterOf(ctx, asked);
      const { page, nextCursor } = await listAudit(deps, filter, { limit, cursor });
      await noteReadOfOthers(deps, ctx, filter);
      return { entries: page.map(presentAuditEntry), next_cursor: nextCursor };
    },
  );

  // The account's log as CSV, newest first, with all entries that match the filter.
  addRoute(
    api,
    {
      id: 'exportAudit',
      method: 'get',
      path: '/dashboard/api/audit.csv',
      query: auditExportQuery,
      answer: z.unknown(),
    },
    async ({ query, ctx }) => {
      const filter = filterOf(ctx, query);
      await noteReadOfOthers(deps, ctx, filter);
      ctx.attachment('audit-log.csv');
      ctx.type = 'text/csv; charset=utf-8';
      return Readable.from(exportAudit(deps, filter));
    },
  );
}

type Asked = z.output<typeof auditExportQuery>;

function filterOf(ctx: HttpContext, { account_id: named, ...filter }: Asked): AuditFilter {
  const { accountId } = ctx.state.caller;
  if (named !== undefined && named !== accountId) requireOperator(ctx);
  return { ...filter, accountId: accountOfLog(named ?? accountId) };
}

/** A read of one's own log leaves no entry. */
async function noteReadOfOthers(deps: AuditRouteDeps, ctx: HttpContext, { accountId }: AuditFilter): Promise<void> {
  const { accountId: own, actor, address } = ctx.state.caller;
  if (accountId !== own) await noteRead(deps, accountId, { actor, address });
}
