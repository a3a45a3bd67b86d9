"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listEndpoints = listEndpoints;
const cursor_1 = require("../platform/cursor");
/**
 * One page of an account's endpoints, newest first.
 *
 * @returns the page, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
async function listEndpoints(deps, accountId, query) {
    const after = query.cursor === undefined ? undefined : (0, cursor_1.decodeCursor)('endpoints', query.cursor);
    const found = await deps.endpoints.page(accountId, query.limit + 1, after);
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const hasMore = found.length > query.limit && last !== undefined;
    return { page, nextCursor: hasMore ? (0, cursor_1.encodeCursor)('endpoints', { createdAt: last.created_at, id: last._id }) : null };
}
//# sourceMappingURL=list-endpoints.js.map