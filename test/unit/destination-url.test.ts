import fc from 'fast-check';
import { MAX_DESTINATION_URL_LENGTH, parseDestinationUrl } from '../../src/domain/destination-url';

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

describe('URLs of destinations', () => {
  test.each([
    'https://x.example',
    'https://x.example/',
    'https://x.example./hook',
    'HTTPS://X.Example/Hook?token=a%20b&c=%2F',
    'https://x.example:8443/hook',
    'https://x.example:1/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://my_service.x.example/a/../b',
    'https://93.184.215.14/hook',
    'https://[2606:2800:220:1::1]/hook',
    'https://x.example/ünïcode/路径',
    `https://x.example/${'a'.repeat(MAX_DESTINATION_URL_LENGTH - 18)}`,
  ])('%s is one', (raw) => {
    expect(codeOf(raw)).toBe('ok');
  });
});

describe('malformed URLs (400)', () => {
  test.each([
    ['nothing', ''],
    ['words', 'not a url'],
    ['no scheme', 'x.example/hook'],
    ['no scheme, slashes', '//x.example/hook'],
    ['a path', '/hook'],
    ['a scheme alone', 'https:'],
    ['no slashes', 'https:x.example'],
    ['one slash', 'https:/x.example'],
    ['three slashes', 'https:///x.example'],
    ['no slashes, http', 'http:x.example'],
    ['no slashes, ftp', 'ftp:x.example'],
    ['no host', 'https://'],
    ['no host, a port', 'https://:443/'],
    ['no host, a query', 'https://?a=b'],
    ['no host, http', 'http://'],
    ['a leading space', ' https://x.example/'],
    ['a trailing space', 'https://x.example/ '],
    ['a space in the path', 'https://x.example/a b'],
    ['a space in the host', 'https://x .example/'],
    ['a no-break space', 'https://x.example/\u00a0'],
    ['a byte order mark', '\ufeffhttps://x.example/'],
    ['a trailing newline', 'https://x.example/\n'],
    ['a newline in the host', 'https://x.exa\nmple/'],
    ['a tab in the scheme', 'ht\ttps://x.example/'],
    ['a tab in the path', 'https://x.example/a\tb'],
    ['a NUL', 'https://x.example/\0'],
    ['a control character', 'https://x.example/\u0085'],
    ['a backslash instead of slashes', 'https:\\\\x.example\\hook'],
    ['a backslash in the path', 'https://x.example/a\\b'],
    ['half a surrogate pair', 'https://x.example/\ud800'],
    ['a port too large', 'https://x.example:65536/'],
    ['a port that is no number', 'https://x.example:port/'],
    ['an address out of range', 'https://256.256.256.256/'],
    ['an address with five parts', 'https://1.2.3.4.5/'],
    ['a zone id', 'https://[fe80::1%25eth0]/'],
    ['broken brackets', 'https://[::1/'],
    ['a forbidden character in the host', 'https://x<y.example/'],
    ['a comma in the host', 'https://a,b.example/'],
    ['a wildcard host', 'https://*.example/'],
    ['an empty label', 'https://x..example/'],
    ['a dot as host', 'https://./'],
    ['a label of 64', `https://${'a'.repeat(64)}.example/`],
    ['a host of 254', `https://${'a.'.repeat(126)}aa/`],
    ['bad punycode', 'https://xn--a/'],
    ['too long', `https://x.example/${'a'.repeat(MAX_DESTINATION_URL_LENGTH)}`],
  ])('%s', (_what, raw) => {
    expect([kindOf(raw), codeOf(raw)]).toEqual(['malformed', 'invalid_request']);
    // Settings don't make a malformed URL a good one.
    expect(kindOf(raw, { allowHttp: true })).toBe('malformed');
  });
});

describe('URLs that parse and can not be used (422)', () => {
  test.each([
    ['unsupported_url_scheme', 'http://x.example/'],
    ['unsupported_url_scheme', 'HTTP://x.example/'],
    ['unsupported_url_scheme', 'ftp://x.example/'],
    ['unsupported_url_scheme', 'ws://x.example/'],
    ['unsupported_url_scheme', 'wss://x.example/'],
    ['unsupported_url_scheme', 'file:///etc/passwd'],
    ['unsupported_url_scheme', 'mailto:ops@x.example'],
    ['unsupported_url_scheme', 'javascript:alert(1)'],
    ['unsupported_url_scheme', 'data:text/plain,hi'],
    ['unsupported_url_scheme', 'gopher://x.example/'],
    ['unsupported_url_scheme', 'localhost:8443'],
    ['unsupported_url_scheme', 'http://user:pw@x.example/#f'],
    ['url_has_credentials', 'https://user@x.example/'],
    ['url_has_credentials', 'https://user:pw@x.example/'],
    ['url_has_credentials', 'https://:pw@x.example/'],
    ['url_has_credentials', 'https://@x.example/'],
    ['url_has_credentials', 'https://:@x.example/'],
    ['url_has_credentials', 'https://good.example@x.example/#f'],
    ['url_has_fragment', 'https://x.example/#section'],
    ['url_has_fragment', 'https://x.example/#'],
    ['url_has_fragment', 'https://x.example#@y.example/'],
  ])('%s: %s', (code, raw) => {
    expect([kindOf(raw), codeOf(raw)]).toEqual(['unusable', code]);
  });

  test('an @ after the host is no user name', () => {
    expect(codeOf('https://x.example/@user?mail=a@b')).toBe('ok');
  });

  test('http is one of the good schemes where it is allowed', () => {
    expect(codeOf('http://x.example/', { allowHttp: true })).toBe('ok');
    expect(codeOf('ftp://x.example/', { allowHttp: true })).toBe('unsupported_url_scheme');
  });
});

test('never throws, accepts only what parses to the same host, and answers in sentences', () => {
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
