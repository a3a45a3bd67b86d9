import { hostname } from 'node:os';
import { types } from 'node:util';
import { pino, type Logger } from 'pino';
import { productVersion } from './product-version';

export type { Logger };

/** Names whose values never reach a log line, anywhere in the first levels of an object. */
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
export function createLogger(level: string, destination?: NodeJS.WritableStream): Logger {
  const paths = SECRET_NAMES.map((name) => `["${name}"]`).flatMap((name) => [name, `*${name}`, `*.*${name}`]);
  const options = {
    level,
    redact: { paths, censor: '[redacted]' },
    formatters: { log: describeErrors },
    // Pino's own serializer would describe the description.
    serializers: { err: (described: unknown) => described },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Lines of several processes arrive in one place.
    base: { service: 'everpost', version: productVersion(), host: hostname(), pid: process.pid },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * The same log for lines that can't contain a secret, because all of their fields are named where they are written.
 * Looking for secrets costs ten times as much as writing such a line.
 */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/** Errors in a line's fields, under any name: Temporal's SDK writes `error`, we write `err`. */
function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  const described = Object.entries(fields).map(([name, value]) => [
    name,
    name === 'err' || types.isNativeError(value) ? describeError(value) : value,
  ]);
  return Object.fromEntries(described) as Record<string, unknown>;
}

/** The longest chain of causes in a log line. */
const MAX_CAUSES = 5;

/**
 * An error in a log line, including our own detail for the log. Its other properties are left out, because drivers put
 * whole documents with callers' data into them.
 */
function describeError(error: unknown, depth = 0): object {
  if (!types.isNativeError(error)) return { message: String(error) };
  const { name, message, stack, cause, code, logDetail } = error as NodeJS.ErrnoException & { logDetail?: unknown };
  return {
    type: name,
    message,
    ...(logDetail !== undefined && { detail: logDetail }),
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: describeError(cause, depth + 1) }),
  };
}
