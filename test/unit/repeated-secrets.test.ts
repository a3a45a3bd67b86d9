import { createSecretHider } from '../../src/sender/repeated-secrets';

const TOKEN = 'Tok/en+"<&>\'%41\\n=5c';
const PASSWORD = 'geheim-päss/+w0rd';
const SIGNING = 'whsec_+/7AAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0=';
const basic = (user: string, password: string): string => Buffer.from(`${user}:${password}`).toString('base64');

const hide = createSecretHider({
  headers: {
    Authorization: `Bearer ${TOKEN}`,
    'X-Tenant': 'blue-tenant',
    'X-Forwarded-Auth': `Basic ${basic('everpost', PASSWORD)}`,
    Cookie: 'theme=dark; session=s3ss10n-1d',
    Accept: 'application/json',
    'X-On': '1',
  },
  signing: [SIGNING],
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const everyByte = (text: string, write: (byte: string) => string): string =>
  [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');
const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"'/]/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '/': '&#x2F;' })[c]!,
  );
const escapeUnicode = (text: string): string =>
  Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const octal = (byte: number): string => byte.toString(8).padStart(3, '0');
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

const ENCODINGS: readonly [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in upper case', (text) => text.toUpperCase()],
  ['in a JSON text', quoted],
  ['in a JSON text of PHP', (text) => quoted(text).replaceAll('/', '\\/').replaceAll('ä', '\\u00e4')],
  ['in a JSON text of Go', (text) => quoted(text).replace(/[<>&]/g, escapeUnicode)],
  ['in a JSON text inside a JSON text', (text) => quoted(quoted(text))],
  ['as \\u escapes', escapeUnicode],
  ['as \\x escapes', (text) => everyByte(text, (byte) => `\\x${byte}`)],
  ['in HTML', escapeHtml],
  ['as decimal entities', (text) => Array.from(text, (c) => `&#${c.codePointAt(0)!};`).join('')],
  ['as hexadecimal entities', (text) => Array.from(text, (c) => `&#x${c.codePointAt(0)!.toString(16)};`).join('')],
  ['as JSON in HTML', (text) => escapeHtml(quoted(text))],
  ['URL-encoded', encodeURIComponent],
  ['URL-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['as a form', (text) => new URLSearchParams({ a: text }).toString().slice(2)],
  ['with each byte URL-encoded', (text) => everyByte(text, (byte) => `%${byte.toUpperCase()}`)],
  ['in base64', base64],
  ['in base64 with one byte before it', (text) => base64(`x${text}`)],
  ['in base64 with two bytes before it', (text) => base64(`xx${text}y`)],
  ['in base64url', base64url],
  ['in base64 of base64', (text) => base64(base64(text))],
  ['in base64 of JSON of PHP', (text) => base64(JSON.stringify({ h: text }).replaceAll('/', '\\/'))],
  ['in base64, URL-encoded', (text) => encodeURIComponent(base64(text))],
  ['in base64 after a slash', (text) => `/echo/${base64(text)}`],
  [
    'in broken lines of base64',
    (text) => base64(`${'a'.repeat(40)}${text}${'b'.repeat(90)}`).replace(/.{64}/g, '$&\r\n'),
  ],
  ['in hexadecimal digits', hex],
  ['in upper-case hexadecimal digits', (text) => hex(text).toUpperCase()],
  ['in hexadecimal digits with spaces', (text) => everyByte(text, (byte) => `${byte} `)],
  ['in hexadecimal digits with 0x', (text) => everyByte(text, (byte) => `0x${byte}, `)],
  ['as \\ and octal digits', (text) => Array.from(Buffer.from(text), (byte) => `\\${octal(byte)}`).join('')],
  ['as a buffer in JSON', (text) => JSON.stringify([...Buffer.from(text)]).slice(1, -1)],
  ['as a slice of bytes of Go', (text) => Buffer.from(text).join(' ')],
  ['as %u escapes', (text) => escapeUnicode(text).replaceAll('\\u', '%u')],
  ['in Latin-1, as a header is read', (text) => Buffer.from(text).toString('latin1')],
];

const SECRETS: readonly [string, string][] = [
  ['a token', TOKEN],
  ['a static header', 'blue-tenant'],
  ['a password', PASSWORD],
  ['Basic credentials', basic('everpost', PASSWORD)],
  ['a cookie', 's3ss10n-1d'],
  ['a signing secret', SIGNING],
  ['a signing secret without its prefix', SIGNING.slice('whsec_'.length)],
];

describe.each(ENCODINGS)('a secret that a receiver repeats %s is hidden', (_name, encode) => {
  it.each(SECRETS)('%s', (_what, secret) => {
    expect(hide(`{"got": "${encode(secret)}"} (end)`)).toMatch(/^\{"got": "(0x)?\[hidden\](\W|%3D)*"\} \(end\)$/);
  });
});

it.each([
  ['credentials without padding', `Basic ${basic('everpost', PASSWORD).replace(/=+$/, '')}`],
  ['credentials in base64url', `Basic ${base64url(`everpost:${PASSWORD}`)}`],
  ["a key's bytes in hexadecimal digits", Buffer.from(SIGNING.slice(6), 'base64').toString('hex')],
  ["a key's bytes in base64url", Buffer.from(SIGNING.slice(6), 'base64').toString('base64url')],
])('hides %s', (_name, text) => {
  expect(hide(`got ${text}!`)).toMatch(/^got (Basic )?\[hidden\]!$/);
});

it('hides the beginning of a secret at the end of a text, which was cut there', () => {
  expect(hide('The header was blue-t')).toBe('The header was [hidden]');
  expect(hide(`?a=${encodeURIComponent(TOKEN).slice(0, 13)}`)).toBe('?a=[hidden]');
  expect(hide(`got ${base64(`everpost:${PASSWORD}`).slice(0, 18)}`)).toBe('got [hidden]');
});

it('hides half of a secret or more that a receiver cut or masked', () => {
  expect(hide(`The key ${SIGNING.slice(0, 30)}… is wrong`)).toBe('The key [hidden]… is wrong');
  expect(hide('not blue-ten****')).toBe('not [hidden]****');
  expect(hide('everything that is blue-t and more')).toBe('everything that is blue-t and more');
});

it("hides a password, and shows the user's name", () => {
  expect(hide(`no user everpost:${PASSWORD} here`)).toBe('no user everpost:[hidden] here');
});

it("hides a short password only with the user's name", () => {
  const hideShort = createSecretHider({ headers: { Authorization: `Basic ${basic('me', 'abc')}` }, signing: [] });
  expect(hideShort('abc, me:abc')).toBe('abc, [hidden]');
});

it('hides each place, and leaves the rest', () => {
  expect(hide('a blue-tenant, a BLUE-TENANT and 100% <b>more</b> &amp; \\"this\\"')).toBe(
    'a [hidden], a [hidden] and 100% <b>more</b> &amp; \\"this\\"',
  );
});

it.each([
  ['the scheme of credentials', 'WWW-Authenticate: Bearer'],
  ['a header that chooses a format', 'Content-Type: application/json'],
  ['a value too short to be told from ordinary text', '{"ok": 1}'],
  ["a user's name", 'unknown user everpost'],
])('shows %s', (_name, text) => {
  expect(hide(text)).toBe(text);
});

it('ends for texts that are made to cost work', () => {
  const nested = '%25'.repeat(400);
  const runs = 'A'.repeat(1_024);
  let layers = 'x'.repeat(100);
  while (layers.length < 700) layers = base64(layers);
  for (const text of [nested, runs, layers, '\\'.repeat(1_024), '&#'.repeat(512), 'blue'.repeat(256)]) {
    expect(hide(text)).toBeDefined();
  }
});
