import { createClientAddress } from '../../src/http/client-address';
import type { HttpContext } from '../../src/http/request-state';

/** Where a request comes from, that a peer sends with such a header. */
function addressOf(trusted: readonly string[], peer: string | undefined, forwarded = ''): string {
  return addressIn(trusted, peer, forwarded === '' ? {} : { 'x-forwarded-for': forwarded });
}

function addressIn(
  trusted: readonly string[],
  peer: string | undefined,
  headers: Readonly<Record<string, string>>,
  onUnknownProxy: (peerAddress: string) => void = () => undefined,
): string {
  const ctx = {
    req: { socket: { remoteAddress: peer }, headers },
    get: (name: string) => headers[name.toLowerCase()] ?? '',
  };
  return createClientAddress(trusted, onUnknownProxy)(ctx as unknown as HttpContext);
}

const PROXIES = ['10.0.0.0/8', '127.0.0.0/8', 'fd00::/8'];

describe('without trusted proxies', () => {
  it.each([
    ['203.0.113.7', '', '203.0.113.7'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['10.1.2.3', '198.51.100.1', '10.1.2.3'],
    ['::ffff:203.0.113.7', '', '203.0.113.7'],
    ['::1', '', '0:0:0:0::/64'],
    [undefined, '198.51.100.1', ''],
  ])('a request of %s with %j comes from %s', (peer, forwarded, expected) => {
    expect(addressOf([], peer, forwarded)).toBe(expected);
  });
});

describe('behind trusted proxies', () => {
  it.each([
    ['the rightmost untrusted address counts', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [
      'addresses left of it are ignored, because the client wrote them',
      '10.0.0.1',
      '1.2.3.4, 203.0.113.7',
      '203.0.113.7',
    ],
    ['trusted proxies in between are skipped', '10.0.0.1', '1.2.3.4, 203.0.113.7, 10.0.0.2, 127.0.0.1', '203.0.113.7'],
    ["an untrusted peer's header is ignored", '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['only proxies: the peer', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.1'],
    ['no header: the peer', '10.0.0.1', '', '10.0.0.1'],
    ['garbage ends the search', '10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
    ['garbage further left does not matter', '10.0.0.1', '<script>, 203.0.113.7', '203.0.113.7'],
    ['IPv4 in IPv6 is IPv4', '::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['a port is not part of the address', '10.0.0.1', '203.0.113.7:50412, 10.0.0.2:443', '203.0.113.7'],
    ['nor is one of IPv6', '10.0.0.1', '[2001:db8:1:2::5]:50412', '2001:db8:1:2::/64'],
    ['an IPv6 proxy', 'fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('%s', (_what, peer, forwarded, expected) => {
    expect(addressOf(PROXIES, peer, forwarded)).toBe(expected);
  });
});

it.each([
  ['X-Forwarded-For of a peer that is not trusted', '203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }, 1],
  ['Forwarded of a peer that is not trusted', '203.0.113.9', { forwarded: 'for=198.51.100.1' }, 1],
  ['X-Forwarded-For of a trusted proxy', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, 0],
  ['neither', '203.0.113.9', {}, 0],
])('an unknown proxy is reported: %s', (_what, peer, headers, times) => {
  const told: string[] = [];
  addressIn(PROXIES, peer, headers, (address) => told.push(address));
  expect(told).toEqual(Array.from({ length: times }, () => peer));
});

it('an IPv6 client counts as its /64, with any of its addresses', () => {
  const [one, other, neighbour] = ['2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:1::1'].map((peer) =>
    addressOf([], peer),
  );
  expect(one).toBe(other);
  expect(one).not.toBe(neighbour);
});
