"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.encodeCursor = encodeCursor;
exports.decodeCursor = decodeCursor;
exports.notACursor = notACursor;
const errors_1 = require("../domain/errors");
/** Makes an opaque cursor of a list. */
function encodeCursor(list, { createdAt, id }) {
    return Buffer.from(`${list} ${createdAt.getTime()} ${id}`).toString('base64url');
}
/** @throws InvalidRequestError for anything that `encodeCursor` did not make for this list */
function decodeCursor(list, cursor) {
    const [, of, time, id] = /^(\w+) (\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    if (of !== list || time === undefined || id === undefined)
        throw notACursor();
    return { createdAt: new Date(Number(time)), id };
}
/** The error for a cursor that no list of its kind gave out. */
function notACursor() {
    const detail = {
        path: 'cursor',
        message: 'is not a cursor of this list; use next_cursor of an earlier answer of it, or leave it out',
    };
    return new errors_1.InvalidRequestError(`"cursor" ${detail.message}.`, 'invalid_request', [detail]);
}
//# sourceMappingURL=cursor.js.map