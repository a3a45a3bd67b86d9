import type { Json } from './json-schemas';

/** Every answer of the API with keys has these headers (docs/spec.md, "Limits"), and the request's id. */
const ALWAYS: Record<string, Json> = {
  'X-RateLimit-Limit': count('Per-minute burst limit of the billing tier.', 10),
  'X-RateLimit-Remaining': count('Burst calls left in the current 60-second window.', 9),
  'X-RateLimit-Reset': count('Unix seconds at which the burst window resets.', 1_796_083_260),
  'X-Quota-Used': count('Calls consumed in the current calendar month (UTC).', 1),
  'X-Quota-Limit': {
    description: 'Calls allowed in the current month, or `unlimited`.',
    schema: { type: 'string', pattern: '^([0-9]+|unlimited)$' },
    example: '500',
  },
  'X-Request-Id': words('The id of this request in the log.'),
};

/** The headers of answers, by name: `components.headers`. */
export const ANSWER_HEADERS: Record<string, Json> = {
  ...ALWAYS,
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': words('The scheme of the API key.', 'Bearer'),
};

/** References to the headers of an answer with this status. */
export function headersOf(status = 200): Json {
  const names = Object.keys(ALWAYS);
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A header that is text. */
export function words(description: string, example?: string): Json {
  return { description, schema: { type: 'string' }, ...(example !== undefined && { example }) };
}

function count(description: string, example: number): Json {
  return { description, schema: { type: 'integer', minimum: 0 }, example };
}
