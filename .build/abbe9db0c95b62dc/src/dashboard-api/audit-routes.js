"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addAuditRoutes = addAuditRoutes;
const node_stream_1 = require("node:stream");
const zod_1 = require("zod");
const read_audit_1 = require("../accounts/read-audit");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const present_1 = require("./present");
const require_session_1 = require("./require-session");
const schema_1 = require("./schema");
const WHOSE = 'Operators may name another account, or `none` for what belongs to no account; that is written down there.';
/** Adds the audit log. */
function addAuditRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listAudit',
        method: 'get',
        path: '/dashboard/api/audit',
        tag: 'Audit',
        summary: 'List the audit log',
        description: `The account's log, newest first. ${WHOSE}`,
        query: schema_1.auditQuery,
        answers: { 200: { description: 'A page of the log.', schema: schema_1.auditListView } },
    }, async (ctx) => {
        const { limit, cursor, ...asked } = (0, read_body_1.validate)(schema_1.auditQuery, { ...ctx.query }, 'query');
        const filter = filterOf(ctx, asked);
        const { page, nextCursor } = await (0, read_audit_1.listAudit)(deps, filter, { limit, cursor });
        await noteReadOfOthers(deps, ctx, filter);
        ctx.body = { entries: page.map(present_1.presentAuditEntry), next_cursor: nextCursor };
    });
    (0, operation_1.addOperation)(api, {
        id: 'exportAudit',
        method: 'get',
        path: '/dashboard/api/audit.csv',
        tag: 'Audit',
        summary: 'Export the audit log',
        description: `The account's log as CSV, newest first, all of it that fits the filter. ${WHOSE}`,
        query: schema_1.auditExportQuery,
        answers: { 200: { description: 'The log.', mediaType: 'text/csv', schema: zod_1.z.unknown() } },
    }, async (ctx) => {
        const filter = filterOf(ctx, (0, read_body_1.validate)(schema_1.auditExportQuery, { ...ctx.query }, 'query'));
        await noteReadOfOthers(deps, ctx, filter);
        ctx.attachment('audit-log.csv');
        ctx.type = 'text/csv; charset=utf-8';
        ctx.body = node_stream_1.Readable.from((0, read_audit_1.exportAudit)(deps, filter));
    });
}
function filterOf(ctx, { account_id: named, ...filter }) {
    const { accountId } = ctx.state.caller;
    if (named !== undefined && named !== accountId)
        (0, require_session_1.requireOperator)(ctx);
    return { ...filter, accountId: (0, read_audit_1.accountOfLog)(named ?? accountId) };
}
/** Reading one's own log leaves no entry. */
async function noteReadOfOthers(deps, ctx, { accountId }) {
    const { accountId: own, actor, address } = ctx.state.caller;
    if (accountId !== own)
        await (0, read_audit_1.noteRead)(deps, accountId, { actor, address });
}
//# sourceMappingURL=audit-routes.js.map