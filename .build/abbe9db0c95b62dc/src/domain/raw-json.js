"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.scanJson = scanJson;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
/**
 * Finds the raw bytes of each top-level value, so that `data` can be delivered exactly as it was sent.
 * Parsing and serialising again would change big integers, `1.0`, the order of integer-like keys and more.
 *
 * Works on bytes, in one pass, without recursion. All structural characters are ASCII, and bytes of longer
 * UTF-8 sequences are above 0x7f, so no decoding is needed.
 *
 * @param bytes UTF-8 JSON that `JSON.parse` has accepted; anything else gives an unspecified answer
 * @param slice the value to look at, when it is a part of the bytes; offsets always count from the first byte
 */
function scanJson(bytes, slice = { start: 0, end: bytes.length }) {
    const members = [];
    const elements = [];
    let depth = 0;
    let deepest = 0;
    let topLevelIsObject = false;
    let name;
    let valueStart = -1;
    const closeValue = (end) => {
        if (valueStart < 0)
            return;
        const value = { start: valueStart, end: trimEnd(bytes, valueStart, end) };
        if (name === undefined)
            elements.push(value);
        else
            members.push({ name, ...value });
        name = undefined;
        valueStart = -1;
    };
    for (let at = slice.start; at < slice.end; at += 1) {
        const byte = bytes[at];
        const isSpace = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
        if (isSpace)
            continue;
        const isClose = byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;
        const isTop = depth === 1;
        const isName = isTop && topLevelIsObject && name === undefined;
        if (isTop && !isName && valueStart < 0 && !isClose && byte !== COLON && byte !== COMMA)
            valueStart = at;
        if (byte === QUOTE) {
            const end = stringEnd(bytes, at);
            if (isName)
                name = decodeString(bytes, at, end);
            at = end - 1;
        }
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
            if (depth === 0)
                topLevelIsObject = byte === OPEN_OBJECT;
            depth += 1;
            deepest = Math.max(deepest, depth);
        }
        else if (isTop && (isClose || byte === COMMA)) {
            closeValue(at);
            if (isClose)
                depth -= 1;
        }
        else if (isClose) {
            depth -= 1;
        }
    }
    return { members, elements, depth: deepest };
}
/** Offset after the closing quote of the string that opens at `start`. */
function stringEnd(bytes, start) {
    let at = start + 1;
    while (at < bytes.length && bytes[at] !== QUOTE)
        at += bytes[at] === BACKSLASH ? 2 : 1;
    return at + 1;
}
/** The string with its escapes decoded: `"\u0064ata"` and `"data"` are the same name. */
function decodeString(bytes, start, end) {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
}
function trimEnd(bytes, start, end) {
    let last = end;
    while (last > start && bytes[last - 1] <= 0x20)
        last -= 1;
    return last;
}
//# sourceMappingURL=raw-json.js.map