"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLogger = createLogger;
exports.withoutRedaction = withoutRedaction;
const node_util_1 = require("node:util");
const pino_1 = require("pino");
/** Names that never reach a log line with their value, wherever they stand in the first levels of an object. */
const SECRET_NAMES = [
    'authorization',
    'Authorization',
    'x-api-key',
    'cookie',
    'set-cookie',
    'password',
    'secret',
    'next_secret',
    'key',
    'data',
    'body',
    'encryptionKeys',
];
/**
 * The structured log: one JSON object a line on standard output (or `destination`), with secrets removed.
 *
 * @param level least level to write: `trace` to `fatal`, or `silent`
 */
function createLogger(level, destination) {
    const paths = SECRET_NAMES.map((name) => `["${name}"]`).flatMap((name) => [name, `*${name}`, `*.*${name}`]);
    const options = {
        level,
        redact: { paths, censor: '[redacted]' },
        formatters: { log: describeErrors },
        // Pino's own would describe the description.
        serializers: { err: (described) => described },
        timestamp: pino_1.pino.stdTimeFunctions.isoTime,
        base: { service: 'everpost' },
    };
    return destination ? (0, pino_1.pino)(options, destination) : (0, pino_1.pino)(options);
}
/**
 * The same log for lines that can't hold a secret, because every field of theirs is named where they are written.
 * Looking for secrets costs ten times what writing such a line does.
 */
function withoutRedaction(logger) {
    return logger.child({}, { redact: [] });
}
/** Errors in a line's fields, under any name: Temporal's SDK writes `error`, we write `err`. */
function describeErrors(fields) {
    const described = Object.entries(fields).map(([name, value]) => [
        name,
        name === 'err' || node_util_1.types.isNativeError(value) ? describeError(value) : value,
    ]);
    return Object.fromEntries(described);
}
/** Deepest chain of causes that a log line shows. */
const MAX_CAUSES = 5;
/**
 * What a log line says about an error, our own detail for the log among it: never its other properties, since drivers put whole documents into them,
 * with the callers' data.
 */
function describeError(error, depth = 0) {
    if (!node_util_1.types.isNativeError(error))
        return { message: String(error) };
    const { name, message, stack, cause, code, logDetail } = error;
    return {
        type: name,
        message,
        ...(logDetail !== undefined && { detail: logDetail }),
        ...(code !== undefined && { code }),
        stack,
        ...(cause !== undefined && depth < MAX_CAUSES && { cause: describeError(cause, depth + 1) }),
    };
}
//# sourceMappingURL=logger.js.map