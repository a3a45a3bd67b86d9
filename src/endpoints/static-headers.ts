/** The most static headers of an endpoint, and the most characters of their names and values together. */
export const MAX_HEADERS = 20;
const MAX_HEADERS_LENGTH = 4_096;

/** A token of RFC 9110, 5.6.2, that begins like every header in use. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,99}$/;
/** A field value of RFC 9110, 5.5, in ASCII, with visible characters at both ends. */
const VALUE = /^[\u0021-\u007e]([\t\u0020-\u007e]*[\u0021-\u007e])?$/;

/** Headers that HTTP or the delivery itself sets; a second one would break the message or what receivers rely on. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-webhook-'];

/** A problem of static headers: of one of them, or of all together. */
export interface HeaderProblem {
  readonly name?: string;
  readonly message: string;
}

/**
 * Finds the problems of an endpoint's static headers.
 *
 * @param headers a value as `JSON.parse` returns it
 * @returns every problem; empty for an object of headers that may be sent
 */
export function problemsOfHeaders(headers: unknown): HeaderProblem[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [{ message: 'must be an object' }];
  }
  const entries = Object.entries(headers as Record<string, unknown>);
  if (entries.length === 0) return [{ message: 'must hold at least one header; null switches the option off' }];
  if (entries.length > MAX_HEADERS) return [{ message: `must hold at most ${MAX_HEADERS} headers` }];
  const problems: HeaderProblem[] = [];
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const message = isRepeated ? 'is there more than once; names are compared without case' : problemOf(name, value);
    if (message !== undefined) problems.push({ name, message });
  }
  const length = entries.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
  // Receivers limit the size of a request's headers.
  if (problems.length === 0 && length > MAX_HEADERS_LENGTH) {
    problems.push({ message: `must have at most ${MAX_HEADERS_LENGTH} characters in all names and values` });
  }
  return problems;
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'is not the name of a header (RFC 9110)';
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return 'is reserved: HTTP or Everpost sets it';
  }
  if (typeof value !== 'string') return 'must be a string';
  return VALUE.test(value)
    ? undefined
    : 'must be a value of visible ASCII characters, with spaces only between them (RFC 9110)';
}
