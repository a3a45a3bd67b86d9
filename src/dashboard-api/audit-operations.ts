import { Readable } from 'node:stream';
import { z } from 'zod';
import { exportAudit } from '../accounts/export-audit';
import { listAudit } from '../accounts/list-audit';
import type { AuditFilter, AuditStore } from '../accounts/audit-store';
import { addOperation, type Api } from '../http/operation';
import { validate } from '../http/read-body';
import type { HttpContext } from '../http/request-state';
import { presentAuditEntry } from './present';
import { requireOperator } from './require-session';
import { auditExportQuery, auditListView, auditQuery } from './schema';

interface AuditPageDeps {
  readonly audit: AuditStore;
}

/** Asks for the log of what belongs to no account: sign-ins with unknown addresses. */
const NO_ACCOUNT = 'none';

const WHOSE =
  'Operators may name another account, or `none` for what belongs to no account; that is written down there.';

/** Adds the audit log. */
export function addAuditOperations(api: Api, deps: AuditPageDeps): void {
  addOperation(
    api,
    {
      id: 'listAudit',
      method: 'get',
      path: '/dashboard/api/audit',
      tag: 'Audit',
      summary: 'List the audit log',
      description: `The account's log, newest first. ${WHOSE}`,
      query: auditQuery,
      answers: { 200: { description: 'A page of the log.', schema: auditListView } },
    },
    async (ctx) => {
      const { limit, cursor, ...asked } = validate(auditQuery, { ...ctx.query }, 'query');
      const { page, nextCursor } = await listAudit(deps, filterOf(ctx, asked), { limit, cursor });
      await noteRead(deps, ctx, asked);
      ctx.body = { entries: page.map(presentAuditEntry), next_cursor: nextCursor };
    },
  );

  addOperation(
    api,
    {
      id: 'exportAudit',
      method: 'get',
      path: '/dashboard/api/audit.csv',
      tag: 'Audit',
      summary: 'Export the audit log',
      description: `The account's log as CSV, newest first, all of it that fits the filter. ${WHOSE}`,
      query: auditExportQuery,
      answers: { 200: { description: 'The log.', mediaType: 'text/csv', schema: z.unknown() } },
    },
    async (ctx) => {
      const asked = validate(auditExportQuery, { ...ctx.query }, 'query');
      const filter = filterOf(ctx, asked);
      await noteRead(deps, ctx, asked);
      ctx.attachment('audit-log.csv');
      ctx.type = 'text/csv; charset=utf-8';
      ctx.body = Readable.from(exportAudit(deps, filter));
    },
  );
}

type Asked = z.output<typeof auditExportQuery>;

function filterOf(ctx: HttpContext, { account_id: named, ...filter }: Asked): AuditFilter {
  const { accountId } = ctx.state.caller;
  if (named !== undefined && named !== accountId) requireOperator(ctx);
  return { ...filter, accountId: named === NO_ACCOUNT ? null : (named ?? accountId) };
}

/** Into the log that was read, unless it is the reader's own. */
async function noteRead({ audit }: AuditPageDeps, ctx: HttpContext, { account_id: named }: Asked): Promise<void> {
  const { accountId, actor, address } = ctx.state.caller;
  if (named === undefined || named === accountId) return;
  const whose = named === NO_ACCOUNT ? null : named;
  await audit.record({ accountId: whose, actor, address, action: 'audit.read', object: whose });
}
