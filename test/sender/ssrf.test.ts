import { createServer } from 'node:net';
import type { HostResolver } from '../../src/sender/resolve-destination';
import { checkDestinationUrl } from '../../src/sender/destination-url-check';
import { InvalidRequestError, UnprocessableError } from '../../src/domain/errors';
import { buildDnsServer } from './dns-server';
import {
  LOOPBACK_POLICY,
  buildRequest,
  buildResolver,
  listen,
  named,
  useSenderTestbed,
  type Receiver,
} from './receivers';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6, embedIpv4, forbiddenUrls } from './spellings';

/** The default rules, on any port: nothing but the address stands in the way. */
const ANY_PORT = { ...LOOPBACK_POLICY, allowCidrs: [] };

const testbed = useSenderTestbed();
/** A server on every address of this machine: whatever gets through to it was not refused. */
let trap: Receiver;

beforeEach(async () => {
  trap = await listen(
    createServer((socket) => socket.destroy()),
    'https',
    '::',
  );
});
afterEach(() => trap.close());

function refusesAtRegistration(url: string): boolean {
  try {
    checkDestinationUrl(url, ANY_PORT);
    return false;
  } catch (error) {
    return error instanceof InvalidRequestError || error instanceof UnprocessableError;
  }
}

it('the trap notices a connection', async () => {
  const policy = { ...ANY_PORT, allowTargets: [`127.0.0.1:${trap.port}`, `[::1]:${trap.port}`] };
  const sender = testbed.sender({ policy });

  await sender.send(buildRequest(trap.url));
  await sender.send(buildRequest(`https://[::1]:${trap.port}/`));
  await sender.send(buildRequest(`https://127.0.0.2:${trap.port}/`));

  expect(trap.connections()).toBe(2);
});

describe('the corpus of forbidden URLs', () => {
  it('has at least 500 different spellings', () => {
    expect(new Set(forbiddenUrls(1)).size).toBeGreaterThanOrEqual(500);
  });

  it('none can be registered', () => {
    expect(forbiddenUrls(trap.port).filter((url) => !refusesAtRegistration(url))).toEqual([]);
  });

  it('none is connected to or looked up', async () => {
    const resolver = buildResolver(['127.0.0.1'], ['::1']);
    const sender = testbed.sender({ policy: ANY_PORT, resolver });

    const passed: unknown[] = [];
    for (const url of forbiddenUrls(trap.port)) {
      const result = await sender.send(buildRequest(url));
      if (result.errorCode !== 'blocked_address' || result.remoteAddress !== null) passed.push(result);
    }

    expect(passed).toEqual([]);
    expect(resolver.lookups).toBe(0);
    expect(trap.connections()).toBe(0);
  });
});

const NO_PUBLIC_ADDRESS =
  'The name receiver.test does not exist, or leads to an address that is not public or that this installation does not ' +
  'deliver to.';

describe('host names', () => {
  const carriers = embedIpv4('127.0.0.1').map((address) => address.slice(1, -1));

  it.each([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6, ...carriers])('that resolve to %s are refused', async (address) => {
    const resolver = address.includes(':') ? buildResolver([], [address]) : buildResolver([address]);

    const result = await testbed.send(named(trap), { policy: ANY_PORT, resolver });

    expect(result).toMatchObject({
      succeeded: false,
      statusCode: null,
      errorCode: 'blocked_address',
      error: NO_PUBLIC_ADDRESS,
      remoteAddress: null,
    });
    expect(trap.connections()).toBe(0);
  });

  it('get the same answer as names that do not exist, so that no caller learns which private names exist', async () => {
    const resolve = async (resolver: HostResolver) => {
      const { errorCode, error, timings } = await testbed.send(named(trap), { policy: ANY_PORT, resolver });
      return { errorCode, error, phases: Object.keys(timings ?? {}) };
    };
    const notFound = async (): Promise<string[]> => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    const results = [
      await resolve({ resolve4: notFound, resolve6: notFound }),
      await resolve(buildResolver([])),
      await resolve(buildResolver(['10.0.0.1'])),
      await resolve(buildResolver(['127.0.0.1'], ['::1'])),
    ];

    expect(results[0]).toMatchObject({ errorCode: 'blocked_address', error: NO_PUBLIC_ADDRESS });
    expect(results).toEqual(results.map(() => results[0]));
  });

  it('are looked up each time, like names that do not exist, so that the time does not tell them apart', async () => {
    const resolver = buildResolver(['10.0.0.1']);
    const sender = testbed.sender({ policy: ANY_PORT, resolver });
    for (let number = 0; number < 3; number += 1) await sender.send(buildRequest(named(trap)));
    expect(resolver.lookups).toBe(3);
  });

  it.each([
    ['last', buildResolver(['1.1.1.1', '8.8.8.8', '127.0.0.1'])],
    ['first', buildResolver(['127.0.0.1', '1.1.1.1'])],
    ['in the other family', buildResolver(['1.1.1.1'], ['2606:4700::1111', '::1'])],
    ['after many', buildResolver([...Array<string>(50).fill('1.1.1.1'), '10.0.0.1'])],
  ])('with one private address among public ones (%s) are refused', async (_where, resolver) => {
    const result = await testbed.send(named(trap), { policy: ANY_PORT, resolver });

    expect(result).toMatchObject({ errorCode: 'blocked_address', remoteAddress: null });
    expect(trap.connections()).toBe(0);
  });

  it('that look like addresses go through the resolver, never to the address', async () => {
    const resolver = buildResolver(['127.0.0.1']);
    const sender = testbed.sender({ policy: ANY_PORT, resolver });

    const names = [
      '127.0.0.1.nip.example',
      'localtest.example',
      '0x7f000001.example',
      '127-0-0-1.example',
      '127.0.0.1.example.',
    ];
    const results = [];
    for (const name of names) results.push(await sender.send(buildRequest(`https://${name}:${trap.port}/`)));

    expect(results.map(({ errorCode }) => errorCode)).toEqual(names.map(() => 'blocked_address'));
    expect([resolver.lookups, trap.connections()]).toEqual([names.length, 0]);
  });
});

describe('DNS rebinding', () => {
  // 127.0.0.2 plays the public address that is checked; 127.0.0.1 is the attacker's target.
  const policy = { ...ANY_PORT, allowCidrs: ['127.0.0.2/32'] };

  it('a name is resolved once for a connection, and the checked address is the one used', async () => {
    const dns = await buildDnsServer((_name, family, question) =>
      family === 6 ? [] : question <= 2 ? ['127.0.0.2'] : ['127.0.0.1'],
    );
    try {
      const sender = testbed.sender({ policy, resolver: dns.resolver, dnsCacheMs: 0 });
      const url = named(trap);

      const first = await sender.send(buildRequest(url));
      const afterFirst = dns.questions.length;
      const second = await sender.send(buildRequest(url));

      // The trap listens everywhere: the first attempt reached it at the checked address, and no other did.
      expect(first.remoteAddress).toBe('127.0.0.2');
      expect(afterFirst).toBe(2);
      expect(second).toMatchObject({ errorCode: 'blocked_address', remoteAddress: null });
      expect(trap.connections()).toBe(1);
    } finally {
      dns.close();
    }
  });

  it('a cached answer is checked again for another port', async () => {
    const resolver = buildResolver(['127.0.0.1']);
    const receiver = await testbed.okay();
    const exempt = { ...ANY_PORT, allowTargets: [`127.0.0.1:${receiver.port}`] };
    const sender = testbed.sender({ policy: exempt, resolver });

    const allowed = await sender.send(buildRequest(named(receiver)));
    const other = await sender.send(buildRequest(named(trap)));

    expect([allowed.succeeded, other.errorCode]).toEqual([true, 'blocked_address']);
    expect([resolver.lookups, trap.connections()]).toEqual([1, 0]);
  });

  it('a reused connection stays with its checked address', async () => {
    const receiver = await testbed.okay();
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolver = { resolve4: async () => answers.shift()!, resolve6: async () => [] as string[] };
    const sender = testbed.sender({ policy: { ...ANY_PORT, allowCidrs: ['127.0.0.1/32'] }, resolver, dnsCacheMs: 0 });
    const url = named(receiver);

    const results = [await sender.send(buildRequest(url)), await sender.send(buildRequest(url))];

    expect(results.map(({ succeeded, remoteAddress }) => [succeeded, remoteAddress])).toEqual([
      [true, '127.0.0.1'],
      [true, '127.0.0.1'],
    ]);
    expect([answers.length, receiver.connections()]).toEqual([1, 1]);
  });
});

describe("the operator's own public addresses (DELIVERY_DENY_CIDRS)", () => {
  const policy = { ...LOOPBACK_POLICY, denyCidrs: ['127.0.0.2/32', '::1/128'] };

  it.each([
    ['an IPv4 address', ['127.0.0.2'], []],
    ['an IPv6 address', [], ['::1']],
    ['one among others', ['127.0.0.1', '127.0.0.2'], []],
  ])('are refused when a name resolves to %s', async (_what, ipv4, ipv6) => {
    const result = await testbed.send(named(trap), { policy, resolver: buildResolver(ipv4, ipv6) });

    expect(result).toMatchObject({
      errorCode: 'blocked_address',
      error: 'The name receiver.test leads to an address that this installation does not deliver to.',
    });
    expect(trap.connections()).toBe(0);
  });

  it('are refused as literal addresses that were registered earlier', async () => {
    for (const host of ['127.0.0.2', '[::1]', '[::ffff:127.0.0.2]']) {
      expect(await testbed.send(`https://${host}:${trap.port}/`, { policy })).toMatchObject({
        errorCode: 'blocked_address',
      });
    }
    expect(trap.connections()).toBe(0);
  });

  it('are checked for each new connection', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const resolver = { resolve4: async () => answers.shift()!, resolve6: async () => [] as string[] };
    const receiver = await testbed.https((_request, response) => response.setHeader('Connection', 'close').end('ok'));
    const sender = testbed.sender({ policy, resolver, dnsCacheMs: 0 });

    const results = [];
    for (let number = 0; number < 2; number += 1) results.push(await sender.send(buildRequest(named(receiver))));

    expect(results.map(({ errorCode }) => errorCode)).toEqual([null, 'blocked_address']);
    expect(receiver.connections()).toBe(1);
  });
});

it('forbidden ports are refused at connect too', async () => {
  const policy = { ...LOOPBACK_POLICY, allowPorts: [{ from: 443, to: 443 }] };
  const result = await testbed.send(trap.url, { policy });

  expect(result).toMatchObject({ errorCode: 'blocked_address', error: expect.stringContaining(`Port ${trap.port}`) });
  expect(trap.connections()).toBe(0);
});
