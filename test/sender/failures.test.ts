import { createServer, type TlsOptions } from 'node:tls';
import type { Socket } from 'node:net';
import { LocalFaultError, classifyFailure } from '../../src/sender/classify-failure';
import { buildServerCertificate } from './certificates';
import { NXDOMAIN, SERVFAIL, buildDnsServer } from './dns-server';
import {
  LOOPBACK_POLICY,
  buildRequest,
  buildResolver,
  listen,
  named,
  useSenderTestbed,
  type Receiver,
} from './receivers';

const testbed = useSenderTestbed();

/** A port without a listener. */
async function closedReceiver(): Promise<Receiver> {
  const receiver = await listen(createServer());
  await receiver.close();
  return receiver;
}

describe('connection', () => {
  it('refused', async () => {
    expect(await testbed.send((await closedReceiver()).url)).toMatchObject({
      succeeded: false,
      statusCode: null,
      errorCode: 'connection_refused',
      error: 'The receiver refused the connection: nothing listens on this port.',
      snippet: null,
      resends: 0,
    });
  });

  it('refused at every address of a host name', async () => {
    const resolver = buildResolver(['127.0.0.2', '127.0.0.3'], ['::1']);
    const result = await testbed.send(named(await closedReceiver()), { resolver });

    expect(result).toMatchObject({ errorCode: 'connection_refused' });
  });

  it('the next address is tried when one refuses', async () => {
    const resolver = buildResolver(['127.0.0.2', '127.0.0.1']);
    const result = await testbed.send(named(await testbed.okay()), { resolver });

    expect(result).toMatchObject({ succeeded: true, remoteAddress: '127.0.0.1' });
  });

  it('closed during the handshake', async () => {
    const receiver = await testbed.tcp((socket) => socket.destroy());

    expect(await testbed.send(receiver.url)).toMatchObject({
      errorCode: 'connection_reset',
      error: 'The receiver closed the connection during the TLS handshake.',
    });
  });

  it.each<[how: string, end: (socket: Socket) => void]>([
    ['closed before an answer', (socket) => socket.end()],
    ['reset before an answer', (socket) => socket.destroy()],
    ['closed in the status', (socket) => socket.end('HTTP/1.1 20')],
  ])('%s: not retried on a new connection', async (_how, end) => {
    let requests = 0;
    const receiver = await testbed.raw((socket) => {
      requests += 1;
      end(socket);
    });

    expect(await testbed.send(receiver.url)).toMatchObject({
      succeeded: false,
      errorCode: 'connection_reset',
      error: 'The receiver closed the connection before it answered.',
      resends: 0,
    });
    expect([requests, receiver.connections()]).toEqual([1, 1]);
  });

  it('a lack of local resources is not an answer', () => {
    const context = { host: 'x.example', phase: 'connect', timeoutMs: 1 } as const;

    expect(() => classifyFailure(Object.assign(new Error(), { code: 'EMFILE' }), context)).toThrow(LocalFaultError);
  });
});

describe('TLS', () => {
  async function sendTo(tls: TlsOptions, { extraCaPem = [testbed.authority.cert], host = 'receiver.test' } = {}) {
    return testbed.send(named(await testbed.okay(tls), host), { resolver: buildResolver(['127.0.0.1']), extraCaPem });
  }

  const insecure = (words: string) => ({
    succeeded: false,
    statusCode: null,
    errorCode: 'tls_error',
    error: `No secure connection to the receiver: ${words}.`,
    snippet: null,
  });
  const OTHER_NAME = 'its certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)';

  it.each(['receiver.test', 'receiver.test.', '127.0.0.1'])(
    'a correct certificate is accepted for %s',
    async (host) => {
      expect(await sendTo({}, { host })).toMatchObject({ succeeded: true });
    },
  );

  it.each([
    ['that has expired', 'receiver.test', 'its certificate has expired (CERT_HAS_EXPIRED)', { expired: true }],
    ['for another name', 'receiver.test', OTHER_NAME, { names: ['other.test'] }],
    ['for another address', '127.0.0.1', OTHER_NAME, { addresses: ['127.0.0.9'] }],
  ])('a certificate %s is refused', async (_what, host, words, options) => {
    const certificate = await buildServerCertificate({ authority: testbed.authority, ...options });

    expect(await sendTo(certificate, { host })).toMatchObject(insecure(words));
  });

  it('a self-signed certificate is refused', async () => {
    const words = 'its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)';

    expect(await sendTo(await buildServerCertificate({}))).toMatchObject(insecure(words));
  });

  it('a certificate from an unknown authority is refused; extra certificates extend the root certificates', async () => {
    const result = await sendTo(testbed.certificate, { extraCaPem: [] });

    expect(result).toMatchObject({ errorCode: 'tls_error', error: expect.stringContaining('unknown authority') });
  });

  it('TLS 1.1 is refused, TLS 1.2 is accepted', async () => {
    const old = { minVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' } as const;

    expect(await sendTo({ ...old, maxVersion: 'TLSv1.1' })).toMatchObject(
      insecure('it does not offer TLS 1.2 or newer'),
    );
    expect(await sendTo({ ...old, maxVersion: 'TLSv1.2' })).toMatchObject({ succeeded: true });
  });

  it('plain HTTP on the port is refused', async () => {
    const receiver = await testbed.tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );

    expect(await testbed.send(receiver.url)).toMatchObject(insecure('it does not speak TLS on this port'));
  });

  it('a receiver that requires a client certificate fails', async () => {
    const result = await sendTo({ requestCert: true, rejectUnauthorized: true, ca: testbed.authority.cert });

    expect(result.succeeded).toBe(false);
    expect(['tls_error', 'connection_reset']).toContain(result.errorCode);
  });

  it('SNI is sent for a host name, and not for an address', async () => {
    const names: (string | false | undefined)[] = [];
    const server = createServer({ ...testbed.certificate, SNICallback: (_name, done) => done(null) }, (socket) => {
      names.push((socket as { servername?: string | false }).servername);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const receiver = await listen(server);
    const sender = testbed.sender({ resolver: buildResolver(['127.0.0.1']) });
    try {
      for (const host of ['receiver.test', 'receiver.test.', '127.0.0.1'])
        await sender.send(buildRequest(named(receiver, host)));
    } finally {
      await receiver.close();
    }

    expect(names).toEqual(['receiver.test', 'receiver.test', false]);
  });
});

describe('names, through c-ares and a real DNS server', () => {
  async function lookUp(answer: Parameters<typeof buildDnsServer>[0]) {
    const receiver = await testbed.okay();
    const dns = await buildDnsServer(answer);
    try {
      const result = await testbed.send(named(receiver), { resolver: dns.resolver });
      return { result, questions: [...dns.questions].sort() };
    } finally {
      dns.close();
    }
  }

  it('both address families are looked up, once', async () => {
    const { result, questions } = await lookUp((_name, family) => (family === 4 ? ['127.0.0.1'] : []));

    expect(result).toMatchObject({ succeeded: true, remoteAddress: '127.0.0.1' });
    expect(questions).toEqual(['receiver.test 4', 'receiver.test 6']);
  });

  const unresolved = (why: string) => ({
    errorCode: 'dns_error',
    error: `The name receiver.test could not be resolved: ${why}.`,
    remoteAddress: null,
  });

  it.each<[what: string, Parameters<typeof buildDnsServer>[0], expected: object]>([
    ['no such name', () => NXDOMAIN, unresolved('it does not exist or has no address')],
    ['a name without addresses', () => [], { errorCode: 'dns_error' }],
    ['failing name servers', () => SERVFAIL, unresolved('its name servers reported a failure')],
    ['one family may fail', (_name, family) => (family === 4 ? ['127.0.0.1'] : SERVFAIL), { succeeded: true }],
    // The receiver listens on IPv4 only: what counts is which address was tried.
    ['IPv6 alone', (_name, family) => (family === 6 ? ['::1'] : []), { errorCode: 'connection_refused' }],
  ])('%s', async (_what, answer, expected) => {
    expect((await lookUp(answer)).result).toMatchObject(expected);
  });

  it("the system's name servers are used through c-ares", async () => {
    // c-ares refuses .onion by itself (RFC 7686), so that no packet leaves this machine.
    const result = await testbed.send('https://receiver.onion/');

    expect(result).toMatchObject({ errorCode: 'dns_error', error: expect.stringContaining('receiver.onion') });
  });
});

describe('a URL that registration refuses is refused again', () => {
  it.each([
    ['http://127.0.0.1/', 'must begin with https://; http: is not supported.'],
    ['https://u:p@127.0.0.1/', 'must not contain a user name or password; verify the signature of deliveries instead.'],
    ['not a url', 'must not contain spaces, line breaks, control characters or backslashes; percent-encode them.'],
  ])('%s', async (url, words) => {
    const refusal = { succeeded: false, errorCode: 'blocked_address', error: `The URL ${words}` };

    expect(await testbed.send(url)).toMatchObject(refusal);
  });

  it('plain HTTP works if allowed', async () => {
    const receiver = await testbed.tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nplain')),
    );
    const policy = { ...LOOPBACK_POLICY, allowHttp: true };
    const result = await testbed.send(`http://127.0.0.1:${receiver.port}/`, { policy });

    expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'plain' });
  });
});

it('errors reveal no addresses, ports, stacks or internals', async () => {
  const closed = await closedReceiver();
  const reset = await testbed.tcp((socket) => socket.destroy());
  const sender = testbed.sender({ resolver: buildResolver(['10.0.0.1']), timeoutMs: 500 });

  for (const url of [closed.url, reset.url, 'https://receiver.test/']) {
    expect((await sender.send(buildRequest(url))).error).not.toMatch(
      /\d+\.\d+\.\d+\.\d+|:\d{2,5}|ECONN|node:|\bat\b \//,
    );
  }
});

it('after close nothing is sent, and requests under way have ended', async () => {
  let arrive: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const receiver = await testbed.https((_request, response) => {
    arrive();
    setTimeout(() => response.end('ok'), 100);
  });
  const sender = testbed.sender();
  const underWay = sender.send(buildRequest(receiver.url));
  await arrived;

  await sender.close();

  expect(await underWay).toMatchObject({ succeeded: true });
  await expect(sender.send(buildRequest(receiver.url))).rejects.toThrow('closed');
});
