"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_BODY_BYTES = void 0;
exports.readBody = readBody;
exports.readOptionalBody = readOptionalBody;
exports.requireNoBody = requireNoBody;
exports.readJson = readJson;
exports.parseValue = parseValue;
exports.validate = validate;
exports.tooLarge = tooLarge;
const node_buffer_1 = require("node:buffer");
const raw_body_1 = __importDefault(require("raw-body"));
const errors_1 = require("../domain/errors");
const json_syntax_1 = require("../domain/json-syntax");
const raw_json_1 = require("../domain/raw-json");
const http_errors_1 = require("./http-errors");
/** Largest request body, and deepest nesting in it (docs/spec.md, "Bodies"). */
exports.MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 256;
/**
 * Reads, checks and validates a JSON body.
 *
 * @param options `maxBytes`: 256 KiB unless given; `inspect`: what else to name where the schema does not fit
 * @throws UnsupportedMediaTypeError unless it is uncompressed `application/json`
 * @throws PayloadTooLargeError above `maxBytes`
 * @throws InvalidRequestError for anything that is not UTF-8, not JSON, nested too deeply, has a member twice,
 *   or does not fit the schema; `details` names the first 20 problems
 */
async function readBody(ctx, schema, { maxBytes = exports.MAX_BODY_BYTES, inspect } = {}) {
    const { bytes, parsed } = await readJson(ctx, maxBytes);
    return parseValue(schema, bytes, (0, raw_json_1.scanJson)(bytes), parsed, inspect);
}
/** The same of a body that may be left out: none is the same as `{}`. */
async function readOptionalBody(ctx, schema) {
    const sent = await readBytes(ctx, exports.MAX_BODY_BYTES);
    const bytes = sent.length === 0 ? Buffer.from('{}') : sent;
    if (sent.length > 0)
        requireJson(ctx);
    return parseValue(schema, bytes, (0, raw_json_1.scanJson)(bytes), parseJson(bytes));
}
/** Enough for `{}` with white space around it, which is all that is allowed. */
const MAX_NO_BODY_BYTES = 1_024;
/**
 * Reads the body of a request that must not have one: `{}` counts as none, because some clients always send it.
 *
 * @throws InvalidRequestError for any other body
 */
async function requireNoBody(ctx) {
    if (!hasBody(ctx))
        return;
    const bytes = await readBytes(ctx, MAX_NO_BODY_BYTES).catch((error) => {
        if (error instanceof http_errors_1.PayloadTooLargeError)
            return undefined;
        throw error;
    });
    if (bytes && /^\s*(\{\s*\})?\s*$/.test(bytes.toString('latin1')))
        return;
    throw new errors_1.InvalidRequestError('This operation takes no body: send none, or {}.', 'unexpected_body');
}
/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws UnsupportedMediaTypeError unless it is uncompressed `application/json`
 * @throws PayloadTooLargeError when it is larger
 * @throws InvalidRequestError for anything that is not UTF-8 or not JSON
 */
async function readJson(ctx, maxBytes) {
    requireJson(ctx);
    const bytes = await readBytes(ctx, maxBytes);
    return { bytes, parsed: parseJson(bytes) };
}
/**
 * Checks one value of a body: the whole, or an entry of a list in it.
 *
 * @param scan of exactly this value
 * @throws InvalidRequestError when it is nested too deeply, has a member twice, or does not fit the schema
 */
function parseValue(schema, bytes, { members, depth }, parsed, inspect) {
    if (depth > MAX_DEPTH) {
        throw new errors_1.InvalidRequestError(`The body is nested more than ${MAX_DEPTH} levels deep.`, 'nested_too_deeply');
    }
    refuseDuplicates(members.map(({ name }) => name));
    return {
        value: validate(schema, parsed, 'body', inspect),
        raw(name) {
            const member = members.find((candidate) => candidate.name === name);
            if (!member)
                throw new RangeError(`the body has no member ${name}`);
            return bytes.subarray(member.start, member.end);
        },
    };
}
/**
 * Checks a value against its schema.
 *
 * @param where what the value is, for the message
 * @param inspect what else to name where the schema does not fit
 * @throws InvalidRequestError with the first 20 problems in `details`, and their number in the message
 */
function validate(schema, value, where = 'body', inspect) {
    const result = schema.safeParse(value);
    if (result.success)
        return result.data;
    const found = result.error.issues.flatMap((issue) => detailsOf(issue, value, where));
    const problems = [...found, ...(inspect?.(value) ?? []).filter(({ path }) => !found.some((it) => it.path === path))];
    const details = (0, errors_1.firstDetails)(problems);
    throw new errors_1.InvalidRequestError(messageOf(details, problems.length, where), 'invalid_request', details);
}
function messageOf([first, ...others], count, where) {
    if (first && count === 1)
        return `${first.path === '' ? `The ${where}` : `"${first.path}"`} ${first.message}.`;
    const shown = others.length + 1;
    return `The ${where} has ${count} problems; ${count > shown ? `details has the first ${shown}` : 'see details'}.`;
}
function requireJson(ctx) {
    // A missing body has no type. That it is missing is reported next.
    if (!hasBody(ctx))
        return;
    const type = (ctx.get('Content-Type').split(';')[0] ?? '').trim().toLowerCase();
    if (type !== 'application/json') {
        throw new http_errors_1.UnsupportedMediaTypeError('Send the body with "Content-Type: application/json".', 'unsupported_media_type');
    }
    const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(ctx.get('Content-Type'))?.[1]?.toLowerCase() ?? 'utf-8';
    if (charset !== 'utf-8' && charset !== 'utf8') {
        throw new http_errors_1.UnsupportedMediaTypeError('Send the body as UTF-8: with "charset=utf-8", or without a charset.', 'unsupported_media_type');
    }
    const encoding = ctx.get('Content-Encoding').trim().toLowerCase();
    if (encoding !== '' && encoding !== 'identity') {
        throw new http_errors_1.UnsupportedMediaTypeError('Send the body uncompressed, without Content-Encoding.', 'unsupported_media_type');
    }
}
function hasBody(ctx) {
    return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
}
async function readBytes(ctx, limit) {
    try {
        return await (0, raw_body_1.default)(ctx.req, { limit, length: ctx.get('Content-Length') || null });
    }
    catch (error) {
        const { type } = error;
        if (type === 'entity.too.large') {
            throw tooLarge('The body', limit);
        }
        throw new errors_1.InvalidRequestError('The body ended before it was complete.', 'incomplete_body');
    }
}
/** @param what is too large, for the message */
function tooLarge(what, limit) {
    const shown = limit >= 1_048_576 ? `${limit / 1_048_576} MiB` : `${limit / 1_024} KiB`;
    return new http_errors_1.PayloadTooLargeError(`${what} is larger than ${limit} bytes (${shown}).`, 'payload_too_large');
}
function parseJson(bytes) {
    if (!(0, node_buffer_1.isUtf8)(bytes))
        throw new errors_1.InvalidRequestError('The body is not valid UTF-8.', 'invalid_utf8');
    const text = bytes.toString('utf8');
    try {
        return JSON.parse(text);
    }
    catch {
        throw new errors_1.InvalidRequestError(whyNotJson(text), 'invalid_json');
    }
}
function whyNotJson(text) {
    if (text.trim() === '')
        return 'The body is empty; send a JSON object.';
    const at = (0, json_syntax_1.jsonErrorAt)(text);
    if (at === text.length)
        return 'The body is not valid JSON: it ends too early.';
    const before = text.slice(0, at).split('\n');
    return `The body is not valid JSON: unexpected character at line ${before.length}, column ${before.at(-1).length + 1}.`;
}
function refuseDuplicates(names) {
    const seen = new Set();
    for (const name of names) {
        if (seen.has(name)) {
            const detail = { path: name, message: 'appears more than once' };
            throw new errors_1.InvalidRequestError(`"${name}" appears more than once in the body.`, 'duplicate_member', [detail]);
        }
        seen.add(name);
    }
}
function detailsOf(issue, value, where) {
    const path = pathOf(issue.path);
    if (issue.code === 'unrecognized_keys') {
        const message = where === 'query' ? 'is not a known parameter' : 'is not a known field';
        return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message }));
    }
    if (issue.code === 'invalid_type') {
        const missing = valueAt(value, issue.path) === undefined;
        return [{ path, message: missing ? 'is required' : `must be ${article(issue.expected)}` }];
    }
    return [{ path, message: issue.message }];
}
/** `events[0]`, `items[2].quantity` */
function pathOf(path) {
    return path.reduce((text, part) => {
        if (typeof part === 'number')
            return `${text}[${part}]`;
        return text === '' ? String(part) : `${text}.${String(part)}`;
    }, '');
}
function valueAt(value, path) {
    return path.reduce((inner, part) => inner?.[part], value);
}
/** zod's words for types, in JSON's. */
const TYPE_NAMES = { record: 'object', int: 'integer' };
function article(expected) {
    const name = TYPE_NAMES[expected] ?? expected;
    return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}
//# sourceMappingURL=read-body.js.map