import {
  KEPT_HEADER_CHARACTERS,
  keepHeaders as keepHeadersHiding,
  readHeaders,
} from '../../src/sender/response-headers';

const keepHeaders = (raw: readonly string[], secretNames: readonly string[]): string =>
  keepHeadersHiding(raw, secretNames, (text) => text);

it('keeps names, values and their order', () => {
  const kept = keepHeaders(['Content-Type', 'text/plain', 'X-Trace', 'a: b', 'X-Empty', ''], []);

  expect(Object.entries(readHeaders(kept))).toEqual([
    ['Content-Type', 'text/plain'],
    ['X-Trace', 'a: b'],
    ['X-Empty', ''],
  ]);
});

it('joins the values of a repeated name by commas', () => {
  expect(readHeaders(keepHeaders(['Via', 'one', 'Date', 'today', 'Via', 'two'], []))).toEqual({
    Via: 'one, two',
    Date: 'today',
  });
});

it.each([
  'Set-Cookie',
  'cookie',
  'Authorization',
  'Proxy-Authorization',
  'Authentication-Info',
  'X-Auth-Token',
  'X-Api-Key',
  'APIKEY',
  'Client-Secret',
  'X-Session-Id',
])('hides the value of %s', (name) => {
  expect(keepHeaders([name, 's3cret'], [])).toBe(`${name}: [hidden]`);
});

it('hides what a receiver sends back of the secret headers that it got', () => {
  expect(keepHeaders(['x-tenant', 'blue', 'X-Other', 'green'], ['X-Tenant'])).toBe(
    'x-tenant: [hidden]\nX-Other: green',
  );
});

it('shows why a receiver asks for credentials', () => {
  expect(keepHeaders(['WWW-Authenticate', 'Bearer realm="hooks"'], [])).toContain('realm="hooks"');
});

it('cuts headers that are too long, and says so', () => {
  const kept = keepHeaders(['X-Long', 'a'.repeat(5_000), 'X-Lost', 'b'], []);

  expect(kept).toHaveLength(KEPT_HEADER_CHARACTERS);
  expect(kept.endsWith('…')).toBe(true);
  expect(Object.keys(readHeaders(kept))).toEqual(['X-Long']);
});

it('survives hostile names', () => {
  const read = readHeaders(keepHeaders(['__proto__', 'x', 'constructor', 'y'], []));

  expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
});
