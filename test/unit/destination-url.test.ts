import fc from 'fast-check';
import { MAX_DESTINATION_URL_LENGTH, parseDestinationUrl, receiverOf } from '../../src/domain/destination-url';

const HTTPS_ONLY = { allowHttp: false };

/** `ok`, or the code that it is refused with. */
function codeOf(raw: string, options = HTTPS_ONLY): string {
  const parsed = parseDestinationUrl(raw, options);
  return parsed.ok ? 'ok' : parsed.code;
}

function kindOf(raw: string, options = HTTPS_ONLY): string {
  const parsed = parseDestinationUrl(raw, options);
  return parsed.ok ? 'ok' : parsed.kind;
}

// prettier-ignore
const GOOD = [
  'https://x.example', 'https://x.example/', 'https://x.example./hook', 'HTTPS://X.Example/Hook?token=a%20b&c=%2F',
  'https://x.example:8443/hook', 'https://x.example:1/', 'https://bücher.example/', 'https://xn--bcher-kva.example/',
  'https://my_service.x.example/a/../b', 'https://93.184.215.14/hook', 'https://[2606:2800:220:1::1]/hook',
  'https://x.example/ünïcode/路径', 'https://x.example/@user?mail=a@b',
  `https://x.example/${'a'.repeat(MAX_DESTINATION_URL_LENGTH - 18)}`,
];

/** By what is wrong with them. */
// prettier-ignore
const MALFORMED = {
  'no URL': ['', 'not a url', 'x.example/hook', '//x.example/hook', '/hook', 'https:'],
  'other than two slashes': [
    'https:x.example', 'https:/x.example', 'https:///x.example', 'http:x.example', 'ftp:x.example',
  ],
  'no host': ['https://', 'https://:443/', 'https://?a=b', 'http://'],
  'white space': [
    ' https://x.example/', 'https://x.example/ ', 'https://x.example/a b', 'https://x .example/',
    'https://x.example/\u00a0', 'https://x.example/\n', 'https://x.exa\nmple/', 'ht\ttps://x.example/',
    'https://x.example/a\tb',
  ],
  'a byte order mark': ['\ufeffhttps://x.example/'],
  'a control character': ['https://x.example/\0', 'https://x.example/\u0085'],
  'a backslash': ['https:\\\\x.example\\hook', 'https://x.example/a\\b'],
  'half a surrogate pair': ['https://x.example/\ud800'],
  'a port that is none': ['https://x.example:65536/', 'https://x.example:port/'],
  'an address that is none': ['https://256.256.256.256/', 'https://1.2.3.4.5/', 'https://[::1/'],
  'a zone id': ['https://[fe80::1%25eth0]/'],
  'a forbidden character in the host': ['https://x<y.example/', 'https://a,b.example/', 'https://*.example/'],
  'a label that is empty, or longer than 63': [
    'https://x..example/', 'https://./', `https://${'a'.repeat(64)}.example/`,
  ],
  'a host of 254': [`https://${'a.'.repeat(126)}aa/`],
  'bad punycode': ['https://xn--a/'],
  'an invisible character': [
    'https://x.example/\u200b', 'https://x.example/\u202egnp.exe', 'https://x\u00adx.example/', 'https://x\u200d.example/',
    'https://x.example/\u2060', 'https://x.example/\ufe0f', 'https://x.example/\u3164', 'https://x.example/\u{e0041}',
    'https://x.example/?a=\u2066b', 'https://x.example/\ue000',
  ],
  'too long when it is percent-encoded': [`https://x.example/${'ä'.repeat(500)}`],
  'too long': [`https://x.example/${'a'.repeat(MAX_DESTINATION_URL_LENGTH)}`],
};

/** By the code that they are refused with. */
// prettier-ignore
const UNUSABLE = {
  unsupported_url_scheme: [
    'http://x.example/', 'HTTP://x.example/', 'ftp://x.example/', 'ws://x.example/', 'wss://x.example/',
    'file:///etc/passwd', 'mailto:ops@x.example', 'javascript:alert(1)', 'data:text/plain,hi', 'gopher://x.example/',
    'localhost:8443', 'http://user:pw@x.example/#f',
  ],
  url_has_credentials: [
    'https://user@x.example/', 'https://user:pw@x.example/', 'https://:pw@x.example/', 'https://@x.example/',
    'https://:@x.example/', 'https://good.example@x.example/#f',
  ],
  url_has_fragment: ['https://x.example/#section', 'https://x.example/#', 'https://x.example#@y.example/'],
};

const rowsOf = (lists: Record<string, string[]>): [what: string, raw: string][] =>
  Object.entries(lists).flatMap(([what, raws]) => raws.map((raw): [string, string] => [what, raw]));

describe('URLs of destinations', () => {
  it.each(GOOD)('%s is accepted', (raw) => {
    expect(codeOf(raw)).toBe('ok');
  });

  it.each(rowsOf(MALFORMED))('a URL with %s is malformed (400), whatever the settings: %j', (_what, raw) => {
    expect([kindOf(raw), codeOf(raw)]).toEqual(['malformed', 'invalid_request']);
    expect(kindOf(raw, { allowHttp: true })).toBe('malformed');
  });

  it.each(rowsOf(UNUSABLE))("a URL that parses but can't be used is refused (422), %s: %s", (code, raw) => {
    expect([kindOf(raw), codeOf(raw)]).toEqual(['unusable', code]);
  });

  it('http is accepted if allowed', () => {
    expect(codeOf('http://x.example/', { allowHttp: true })).toBe('ok');
    expect(codeOf('ftp://x.example/', { allowHttp: true })).toBe('unsupported_url_scheme');
  });
});

it('never throws, accepts only URLs that parse to the same host, and explains refusals in sentences', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.string().map((rest) => `https://${rest}`),
  );
  fc.assert(
    fc.property(anything, (raw) => {
      const parsed = parseDestinationUrl(raw, HTTPS_ONLY);
      if (parsed.ok) expect(parsed.url.href).toBe(new URL(raw).href);
      else expect(parsed.message).toMatch(/^[A-Z].*\.$/s);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['https://a.example/hook', 'a.example:443'],
  ['https://A.example.:443/', 'a.example:443'],
  ['http://a.example:443/', 'a.example:443'],
  ['http://a.example/', 'a.example:80'],
  ['https://[2001:db8::1]:8443/', '[2001:db8::1]:8443'],
])('%s leads to %s, which paces attempts and challenges', (url, receiver) => {
  expect(receiverOf(url)).toBe(receiver);
});
