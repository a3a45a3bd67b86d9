import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import type { AddressPolicy } from '../../src/config';
import { createAddressGuard, isPublicAddress } from '../../src/sender/address-guard';
import { checkDestinationUrl } from '../../src/sender/destination-url-check';
import { InvalidRequestError, UnprocessableError } from '../../src/domain/errors';

/** IANA's special-purpose registries and what is not assigned for global unicast, written down by hand. */
// prettier-ignore
const SPECIAL_IPV4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24',
  '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32',
  '168.63.129.16/32',
];
// prettier-ignore
const SPECIAL_IPV6 = [
  '::/3', '::/128', '::1/128', '::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64',
  '2001::/32', '2001::/23', '2001:2::/48', '2001:3::/32', '2001:4:112::/48', '2001:10::/28', '2001:20::/28',
  '2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '4000::/2', '5f00::/16', '8000::/1',
  'fc00::/7', 'fd00:ec2::254/128', 'fe80::/10', 'fec0::/10', 'ff00::/8',
];

/** Public addresses, most of them neighbours of a special range. */
// prettier-ignore
const ORDINARY = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0',
  '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0',
  '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2001:200::1', '2003::1',
  '2606:4700::1111', '2a00:1450:4001:80b::200e', '3ffe:ffff::1', '2606:4700:0:0:1:5efe:a00:1',
];
// prettier-ignore
const NOT_PLAIN = [
  '', ' ', 'localhost', 'x.example', '8.8.8', '8.8', '134744072', '0x8.0x8.0x8.0x8', '08.8.8.8', '010.8.8.8',
  '8.8.8.8.', '8.8.8.8:443', '8.8.8.8/32', ' 8.8.8.8', '8.8.8.8\n', '８.8.8.8', '[2606:4700::1111]',
  '2606:4700::1111%eth0', '2606:4700::1111%1', '2606:4700:::1111', '256.1.1.1',
];

/** Any address of a range, in one of the spellings that a resolver or a caller may use. */
function addressIn(cidr: string): fc.Arbitrary<string> {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const base = network.toByteArray();
  return fc.uint8Array({ minLength: base.length, maxLength: base.length }).map((random) => {
    const bytes = base.map((byte, index) => {
      const hostBits = Math.min(8, Math.max(0, (index + 1) * 8 - bits));
      const mask = (1 << hostBits) - 1;
      return (byte & ~mask & 0xff) | (random[index]! & mask);
    });
    return ipaddr.fromByteArray(bytes).toString();
  });
}

describe('isPublicAddress', () => {
  it.each([...SPECIAL_IPV4, ...SPECIAL_IPV6])('is false for everything in %s', (cidr) => {
    fc.assert(
      fc.property(addressIn(cidr), (address) => {
        expect([address, isPublicAddress(address)]).toEqual([address, false]);
      }),
    );
  });

  it('is false for every address that contains an IPv4 address, even a public one', () => {
    const ipv4 = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => [...bytes]);
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const hex = [(a! << 8) | b!, (c! << 8) | d!].map((part) => part.toString(16)).join(':');
        const dotted = `${a}.${b}.${c}.${d}`;
        const teredo = [(a! << 8) | b!, (c! << 8) | d!].map((part) => (part ^ 0xffff).toString(16)).join(':');
        // prettier-ignore
        const embedding = [
          `::ffff:${dotted}`, `::ffff:${hex}`, `::${dotted}`, `::${hex}`, `::ffff:0:${hex}`, `64:ff9b::${dotted}`,
          `64:ff9b:1::${hex}`, `2002:${hex}::1`, `2001:0:4136:e378:8000:63bf:${teredo}`, `2606:4700::5efe:${hex}`,
          `2606:4700::200:5efe:${hex}`,
        ];
        expect(embedding.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });

  it.each(ORDINARY)('is true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(NOT_PLAIN)('is false for %j, which is not an address in plain notation', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(text)));
    fc.assert(
      fc.property(fc.oneof(fc.ipV4Extended(), fc.ipV6()), (text) => typeof isPublicAddress(text) === 'boolean'),
    );
  });
});

// prettier-ignore
const STRICT: AddressPolicy = {
  allowHttp: false,
  denyCidrs: [],
  allowCidrs: [],
  allowPorts: [{ from: 443, to: 443 }, { from: 8443, to: 8443 }],
  allowTargets: [],
};

/** Status and code that registration answers with, or `ok`. */
function register(url: string, policy: Partial<AddressPolicy> = {}): string {
  try {
    expect(checkDestinationUrl(url, { ...STRICT, ...policy })).toBe(new URL(url).href);
    return 'ok';
  } catch (error) {
    if (!(error instanceof InvalidRequestError || error instanceof UnprocessableError)) throw error;
    expect(error.details).toEqual([{ path: 'url', message: error.message }]);
    return `${error instanceof InvalidRequestError ? 400 : 422} ${error.code}`;
  }
}

/** Names that only private name servers know. */
const PRIVATE_NAMES = [
  ...['mongodb', 'localhost', 'a', 'MongoDB', 'temporal.', 'kubernetes.default.svc', 'everpost.prod.svc.cluster.local'],
  ...['printer.local', 'vault.internal', 'metadata.google.internal', 'db.eu.INTERNAL.', 'nas.lan', 'router.home.arpa'],
  ...[
    'wiki.corp',
    'box.home',
    'x.localdomain',
    'portal.intranet',
    'x.private',
    'app.localhost',
    '1.0.0.10.in-addr.arpa',
  ],
];

describe('registration', () => {
  it.each(PRIVATE_NAMES)('refuses %s, which only a private name server can know', (name) => {
    expect(register(`https://${name}/`)).toBe('422 non_public_host');
    expect(register(`https://${name}:8443/path?query`)).toBe('422 non_public_host');
  });

  it('accepts such names where the operator allows local addresses', () => {
    for (const policy of [{ allowCidrs: ['10.0.0.0/8'] }, { allowTargets: ['127.0.0.1:443'] }]) {
      for (const name of ['mongodb', 'kubernetes.default.svc', 'vault.internal']) {
        expect(register(`https://${name}/`, policy)).toBe('ok');
      }
      expect(register('https://localhost/', policy)).toBe('422 non_public_host');
    }
  });

  it.each([
    ['https://x.example/', 'ok'],
    ['https://x.example:8443/', 'ok'],
    ['https://1.1.1.1/', 'ok'],
    ['https://[2606:4700::1111]/', 'ok'],
    ['https://localhost.example/', 'ok'],
    ['https://notlocalhost.example/', 'ok'],
    ['https://svc.example/', 'ok'],
    ['https://mongodb.svc-cluster.example/', 'ok'],
    ['https://internal.io/', 'ok'],
    ['https://mylocal.dev/', 'ok'],
    ['https://home.com/', 'ok'],
    ['not a url', '400 invalid_request'],
    ['ftp://x.example/', '422 unsupported_url_scheme'],
    ['https://x.example:22/', '422 refused_port'],
    ['https://x.example:0/', '422 refused_port'],
    ['https://x.example:80/', '422 refused_port'],
    ['https://127.0.0.1/', '422 non_public_host'],
    ['https://localhost/', '422 non_public_host'],
    ['https://LOCALHOST./', '422 non_public_host'],
    ['https://a.b.localhost/', '422 non_public_host'],
  ])('%s: %s', (url, expected) => {
    expect(register(url)).toBe(expected);
  });

  it('an allowed range permits literal addresses, but never the name localhost', () => {
    const policy = { allowCidrs: ['127.0.0.0/8', 'fd00::/8'] };

    expect(register('https://127.0.0.1/', policy)).toBe('ok');
    expect(register('https://2130706433/', policy)).toBe('ok');
    expect(register('https://[fd12::1]/', policy)).toBe('ok');
    expect(register('https://127.0.0.1:3000/', policy)).toBe('422 refused_port');
    expect(register('https://localhost/', policy)).toBe('422 non_public_host');
    expect(register('https://10.0.0.1/', policy)).toBe('422 non_public_host');
    expect(register('https://[::ffff:127.0.0.1]/', policy)).toBe('422 non_public_host');
    expect(register('https://[::1]/', policy)).toBe('422 non_public_host');
  });

  it('an exempt target permits its own address and port only', () => {
    const policy = { allowTargets: ['127.0.0.1:41234', '[::1]:41235'] };

    expect(register('https://127.0.0.1:41234/inbox', policy)).toBe('ok');
    expect(register('https://[0:0::1]:41235/', policy)).toBe('ok');
    expect(register('https://127.0.0.1:41235/', policy)).toBe('422 non_public_host');
    expect(register('https://127.0.0.1/', policy)).toBe('422 non_public_host');
    expect(register('https://127.0.0.2:41234/', policy)).toBe('422 non_public_host');
    expect(register('https://localhost:41234/', policy)).toBe('422 non_public_host');
    expect(register('https://x.example:41234/', policy)).toBe('422 refused_port');
    expect(register('http://127.0.0.1:41234/', policy)).toBe('422 unsupported_url_scheme');
  });

  it("addresses on the operator's deny list are refused in every spelling, whatever else is allowed", () => {
    const denyCidrs = ['1.1.1.0/24', '2606:4700::/32', '10.1.0.0/16'];
    const policy = { denyCidrs, allowCidrs: ['10.0.0.0/8', '::ffff:0:0/96'] };

    for (const host of ['1.1.1.1', '16843009', '0x1.1.257', '[2606:4700::1111]', '10.1.2.3', '[::ffff:1.1.1.1]']) {
      expect(register(`https://${host}/`, policy)).toBe('422 refused_host');
    }
    for (const host of ['1.1.2.1', '[2606:4701::1]', '10.2.0.1', 'x.example']) {
      expect(register(`https://${host}/`, policy)).toBe('ok');
    }
  });

  it.each([
    [19_999, '422 refused_port'],
    [20_000, 'ok'],
    [30_000, 'ok'],
    [30_001, '422 refused_port'],
  ])('port ranges include both ends: %i of 20000 to 30000 is %s', (port, expected) => {
    expect(register(`https://x.example:${port}/`, { allowPorts: [{ from: 20_000, to: 30_000 }] })).toBe(expected);
  });

  it('the error says what to change', () => {
    expect(() => checkDestinationUrl('https://x.example:22/', STRICT)).toThrow(
      'Port 22 is not allowed; the ports of destinations are 443, 8443.',
    );
    expect(() => checkDestinationUrl('https://127.1/', STRICT)).toThrow(
      'The host 127.0.0.1 is not on the public Internet; deliveries go to public addresses only.',
    );
  });

  it('where some local addresses are allowed, the error says so, and what to use instead of a name', () => {
    const guard = createAddressGuard({ ...STRICT, allowCidrs: ['127.0.0.0/8'] });

    expect(guard.judgeUrl(new URL('https://127.0.0.1/'))).toBeUndefined();
    expect(guard.judgeUrl(new URL('https://localhost/'))?.message).toBe(
      'The name localhost is refused; use an address that this installation allows instead.',
    );
    expect(guard.judgeUrl(new URL('https://10.0.0.1/'))?.message).toBe(
      'The host 10.0.0.1 is not one of the local addresses that this installation allows.',
    );
  });
});

describe('at connect', () => {
  const guard = createAddressGuard({ ...STRICT, allowCidrs: ['10.1.0.0/16'], allowTargets: ['127.0.0.1:41234'] });

  it.each([
    ['1.1.1.1', [443], [22]],
    ['10.1.2.3', [443], [80]],
    ['10.2.0.1', [], [443]],
    ['127.0.0.1', [41_234], [443]],
    ['::ffff:127.0.0.1', [], [41_234]],
    ['fe80::1%eth0', [], [443]],
    ['', [], [443]],
    ['x.example', [], [443]],
  ])('%j is checked together with the port: %j are allowed, %j are not', (address, allowed, refused) => {
    expect([...allowed, ...refused].filter((port) => guard.allowsAddress(address, port))).toEqual(allowed);
  });
});
