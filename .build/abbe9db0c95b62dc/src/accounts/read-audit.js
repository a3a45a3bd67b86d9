"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listAudit = listAudit;
exports.accountOfLog = accountOfLog;
exports.noteRead = noteRead;
exports.exportAudit = exportAudit;
exports.describeChanges = describeChanges;
exports.csvCell = csvCell;
const cursor_1 = require("../platform/cursor");
/**
 * One page of a log, newest first.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
async function listAudit(deps, filter, query) {
    const behind = query.cursor === undefined ? undefined : (0, cursor_1.decodeCursor)('audit', query.cursor);
    const found = await deps.audit.page({ ...filter, limit: query.limit + 1, behind });
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const hasMore = found.length > query.limit && last !== undefined;
    return { page, nextCursor: hasMore ? (0, cursor_1.encodeCursor)('audit', { createdAt: last.at, id: last._id }) : null };
}
/** How readers ask for the log of what belongs to no account: sign-ins with unknown addresses. */
const NO_ACCOUNT = 'none';
/** Whose log a reader asks for: an account's id, or null for `none`. */
function accountOfLog(named) {
    return named === NO_ACCOUNT ? null : named;
}
/** Notes in a log that it was read. */
function noteRead({ audit }, accountId, by) {
    return audit.record({ ...by, accountId, action: 'audit.read', object: accountId });
}
const COLUMNS = ['id', 'at', 'account_id', 'actor_type', 'actor_id', 'actor_name', 'action', 'object', 'address'];
const PAGE = 500;
/**
 * A log as CSV (RFC 4180) with a line of names first, newest first, in pieces of whole lines.
 *
 * A cell that a spreadsheet would take for a formula begins with an apostrophe.
 */
async function* exportAudit({ audit }, filter) {
    yield csvLine([...COLUMNS, 'detail', 'changes']);
    for (let behind;;) {
        const page = await audit.page({ ...filter, limit: PAGE, behind });
        if (page.length > 0)
            yield page.map((entry) => csvLine(cellsOf(entry))).join('');
        const last = page.at(-1);
        if (page.length < PAGE || !last)
            return;
        behind = { createdAt: last.at, id: last._id };
    }
}
function cellsOf({ _id, at, account_id: accountId, actor, action, object, address, ...more }) {
    const who = [actor.type, actor.id, actor.name];
    return [_id, at.toISOString(), accountId, ...who, action, object, address, more.detail, describeChanges(more)];
}
/** `url: a.example → b.example; options.headers`. */
function describeChanges({ changes = [] }) {
    return changes
        .map(({ field, from, to }) => from === undefined && to === undefined ? field : `${field}: ${from ?? 'none'} → ${to ?? 'none'}`)
        .join('; ');
}
function csvLine(cells) {
    return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}
/**
 * Every cell in quotes. What begins like a formula, even after white space, gets an apostrophe (OWASP, "CSV
 * Injection").
 */
function csvCell(text) {
    const plain = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
    return `"${plain.replaceAll('"', '""')}"`;
}
//# sourceMappingURL=read-audit.js.map