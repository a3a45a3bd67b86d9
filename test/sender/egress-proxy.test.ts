import type { lookup } from 'node:dns';
import { createServer as createTcpServer, type LookupFunction } from 'node:net';
import { RequestError, Server as ProxyServer } from 'proxy-chain';
import { parseProxy } from '../../src/parse-settings';
import { LocalFaultError } from '../../src/sender/classify-failure';
import { useFixture } from '../support/fixture';
import { buildRequest, buildResolver, named, listen, useSenderTestbed } from './receivers';

const USER = 'everpost';
const PASSWORD = 'p@ss/w:rd';
const CREDENTIALS = `${USER}:${encodeURIComponent(PASSWORD)}`;

const testbed = useSenderTestbed();

const lookUpLoopback: LookupFunction = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

/** A real proxy on loopback, which requires credentials and refuses the given port. */
async function openProxy(serverType: 'http' | 'https') {
  const targets: string[] = [];
  const refused = new Set<number>();
  const server = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    ...(serverType === 'https'
      ? { serverType, httpsOptions: { key: testbed.certificate.key, cert: testbed.certificate.cert } }
      : { serverType }),
    prepareRequestFunction({ hostname, port, username, password }) {
      if (username !== USER || password !== PASSWORD) return { requestAuthentication: true };
      targets.push(`${hostname}:${port}`);
      if (refused.has(port)) throw new RequestError('not there', 403);
      // The test's names are the proxy's to look up.
      return { dnsLookup: lookUpLoopback as unknown as typeof lookup };
    },
  });
  server.on('requestFailed', () => undefined);
  await server.listen();
  return {
    server,
    /** The targets of CONNECT, one entry for each tunnel. */
    targets,
    refused,
    url: (credentials: string) => `${serverType}://${credentials}@127.0.0.1:${server.port}`,
    close: () => server.close(true),
  };
}

describe.each(['http', 'https'] as const)('through an %s proxy', (kind) => {
  const proxy = useFixture(
    'test',
    () => openProxy(kind),
    (it) => it.close(),
  );
  const through = (credentials = CREDENTIALS) => ({ proxy: parseProxy(proxy.url(credentials)) });

  it('a delivery arrives with end-to-end TLS, and the proxy resolves the name', async () => {
    const seen: [string | undefined, string | undefined][] = [];
    const receiver = await testbed.https((request, response) => {
      seen.push([request.headers.host, request.headers['proxy-authorization']]);
      response.end('ok');
    });
    const resolver = buildResolver([]);

    const result = await testbed.send(named(receiver), { ...through(), resolver });

    expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'ok', remoteAddress: null });
    expect(proxy.targets).toEqual([`receiver.test:${receiver.port}`]);
    expect(seen).toEqual([[`receiver.test:${receiver.port}`, undefined]]);
    expect(resolver.lookups).toBe(0);
  });

  it('the receiver, not the proxy, must have a certificate for the name', async () => {
    const receiver = await testbed.okay();

    expect(await testbed.send(named(receiver, 'other.test'), through())).toMatchObject({
      errorCode: 'tls_error',
      error: expect.stringContaining('another host name'),
    });
  });

  it('tunnels are reused, and a dead one is replaced within the attempt', async () => {
    const receiver = await testbed.raw((socket, _request, number) => {
      if (number === 3) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const sender = testbed.sender(through());

    const resends: number[] = [];
    for (let number = 0; number < 3; number += 1) {
      const result = await sender.send(buildRequest(named(receiver)));
      expect(result.succeeded).toBe(true);
      resends.push(result.resends);
    }

    expect([resends, proxy.targets.length]).toEqual([[0, 0, 1], 2]);
  });

  it("a partial answer on a reused tunnel doesn't cause a second request", async () => {
    const receiver = await testbed.raw((socket, _request, number) => {
      if (number === 2) socket.end('HTTP/1.1 2');
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const sender = testbed.sender(through());

    await sender.send(buildRequest(named(receiver)));

    expect(await sender.send(buildRequest(named(receiver)))).toMatchObject({
      errorCode: 'connection_reset',
      resends: 0,
    });
  });

  it('a receiver that hangs times out, and its tunnel is closed', async () => {
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const receiver = await testbed.raw((socket) => void socket.once('close', closed));

    expect(await testbed.send(named(receiver), { ...through(), timeoutMs: 500 })).toMatchObject({
      errorCode: 'timeout',
      error: 'No answer within 500ms: the receiver was connected and sent no complete status.',
    });
    await isClosed;
  });

  it('a destination that the proxy refuses is blocked', async () => {
    const receiver = await testbed.okay();
    proxy.refused.add(receiver.port);

    expect(await testbed.send(named(receiver), through())).toMatchObject({
      errorCode: 'blocked_address',
      error: 'The egress proxy refuses this destination (403).',
      statusCode: null,
      snippet: null,
    });
    expect(receiver.connections()).toBe(0);
  });

  it("a receiver that the proxy can't reach counts as the receiver's failure", async () => {
    const gone = await testbed.okay();
    await gone.close();

    expect(await testbed.send(named(gone), through())).toMatchObject({
      errorCode: 'proxy_error',
      error: 'The egress proxy did not connect to the receiver: it closed the connection.',
    });
  });

  it('wrong credentials are our error, not an answer, and are not shown', async () => {
    const receiver = await testbed.okay();

    const failed = testbed.send(named(receiver), through('everpost:wrong-secret'));

    await expect(failed).rejects.toThrow(LocalFaultError);
    await expect(failed).rejects.toThrow(
      "the egress proxy (DELIVERY_PROXY) can't be used: it refused the credentials (407)",
    );
    expect(receiver.connections()).toBe(0);
  });

  it('addresses and ports that registration refuses never reach the proxy', async () => {
    const policy = { allowHttp: false, denyCidrs: [], allowCidrs: [], allowPorts: [{ from: 443, to: 443 }] };

    for (const url of ['https://10.0.0.1/', 'https://[::ffff:7f00:1]/', 'https://localhost/', 'https://x.test:22/']) {
      expect(await testbed.send(url, { ...through(), policy: { ...policy, allowTargets: [] } })).toMatchObject({
        errorCode: 'blocked_address',
      });
    }
    expect(proxy.targets).toEqual([]);
  });
});

it.each([502, 503, 504])(
  "a proxy's %i counts as the receiver's failure, and its body is not shown",
  async (statusCode) => {
    const answer = `HTTP/1.1 ${statusCode} Secret\r\nContent-Length: 6\r\n\r\nsecret`;
    const proxy = await testbed.tcp((socket) => socket.once('data', () => socket.end(answer)));

    expect(
      await testbed.send('https://receiver.test/', { proxy: parseProxy(`http://127.0.0.1:${proxy.port}`) }),
    ).toEqual(
      expect.objectContaining({
        succeeded: false,
        errorCode: 'proxy_error',
        error: `The egress proxy did not connect to the receiver: it answered ${statusCode}.`,
        statusCode: null,
        snippet: null,
      }),
    );
  },
);

it("smokescreen's 407 without a challenge blocks the destination, and isn't taken for wrong credentials", async () => {
  const answer = 'HTTP/1.1 407 Request rejected by proxy\r\nX-Smokescreen-Error: denied\r\nContent-Length: 0\r\n\r\n';
  const proxy = await testbed.tcp((socket) => socket.once('data', () => socket.end(answer)));

  expect(
    await testbed.send('https://receiver.test/', { proxy: parseProxy(`http://127.0.0.1:${proxy.port}`) }),
  ).toMatchObject({ errorCode: 'blocked_address', error: 'The egress proxy refuses this destination (407).' });
});

describe('a failing proxy is not an answer of the receiver', () => {
  const cannot = (reason: string) => `the egress proxy (DELIVERY_PROXY) can't be used: ${reason}`;
  const sendThrough = (port: number, scheme = 'http') =>
    testbed.send('https://receiver.test/', {
      proxy: parseProxy(`${scheme}://u:very-secret@127.0.0.1:${port}`),
      timeoutMs: 1_000,
    });

  it('that refuses connections', async () => {
    const gone = await listen(createTcpServer());
    await gone.close();

    await expect(sendThrough(gone.port)).rejects.toThrow(cannot('ECONNREFUSED'));
  });

  it("that doesn't speak HTTP", async () => {
    const proxy = await testbed.tcp((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')));

    await expect(sendThrough(proxy.port)).rejects.toThrow(cannot('HPE_INVALID_CONSTANT'));
  });

  it('whose certificate is not trusted', async () => {
    const proxy = await testbed.okay();
    const failed = testbed.send('https://receiver.test/', {
      proxy: parseProxy(`https://u:very-secret@127.0.0.1:${proxy.port}`),
      extraCaPem: [],
    });

    await expect(failed).rejects.toThrow(cannot('UNABLE_TO_VERIFY_LEAF_SIGNATURE'));
  });

  it('that never finishes its handshake', async () => {
    const proxy = await testbed.tcp(() => undefined);

    await expect(sendThrough(proxy.port, 'https')).rejects.toThrow(cannot('no connection'));
  });
});

it("a tunnel that doesn't open in time is the receiver's timeout, and the connection to the proxy is closed", async () => {
  let closed = (): void => undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const proxy = await testbed.tcp((socket) => void socket.once('close', closed).resume());
  const result = await testbed.send('https://receiver.test/', {
    proxy: parseProxy(`http://127.0.0.1:${proxy.port}`),
    timeoutMs: 1_000,
  });

  expect(result).toMatchObject({
    errorCode: 'timeout',
    error: 'No answer within 1s: the egress proxy was still connecting to the receiver.',
  });
  await isClosed;
});
