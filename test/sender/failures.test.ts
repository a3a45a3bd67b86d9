import { createServer, type TlsOptions } from 'node:tls';
import { LocalFaultError, classifyFailure } from '../../src/sender/classify-failure';
import { buildServerCertificate } from './certificates';
import { NXDOMAIN, SERVFAIL, buildDnsServer } from './dns-server';
import { LOOPBACK_POLICY, buildRequest, buildResolver, listen, useSenderStage, type Receiver } from './receivers';

const stage = useSenderStage();

const named = (receiver: Receiver) => `https://receiver.test:${receiver.port}/hook`;

describe('connection', () => {
  it('refused', async () => {
    const receiver = await listen(createServer());
    await receiver.close();

    expect(await stage.sender().send(buildRequest(receiver.url))).toMatchObject({
      succeeded: false,
      statusCode: null,
      errorCode: 'connection_refused',
      error: 'The receiver refused the connection: nothing listens on this port.',
      snippet: null,
      resends: 0,
    });
  });

  it('refused at every address of a name', async () => {
    const receiver = await listen(createServer());
    await receiver.close();
    const resolver = buildResolver(['127.0.0.2', '127.0.0.3'], ['::1']);

    expect(await stage.sender({ resolver }).send(buildRequest(named(receiver)))).toMatchObject({
      errorCode: 'connection_refused',
    });
  });

  it('the next address is tried when one refuses', async () => {
    const receiver = await stage.https((_request, response) => response.end('ok'));
    const resolver = buildResolver(['127.0.0.2', '127.0.0.1']);

    expect(await stage.sender({ resolver }).send(buildRequest(named(receiver)))).toMatchObject({
      succeeded: true,
      remoteAddress: '127.0.0.1',
    });
  });

  it('closed at once, during the handshake', async () => {
    const receiver = await stage.tcp((socket) => socket.destroy());

    expect(await stage.sender().send(buildRequest(receiver.url))).toMatchObject({
      errorCode: 'connection_reset',
      error: 'The receiver closed the connection during the TLS handshake.',
    });
  });

  it.each(['closed', 'reset'])('%s before an answer: no second try on a new connection', async (how) => {
    let requests = 0;
    const receiver = await stage.raw((socket) => {
      requests += 1;
      if (how === 'closed') socket.end();
      else socket.destroy();
    });

    expect(await stage.sender().send(buildRequest(receiver.url))).toMatchObject({
      errorCode: 'connection_reset',
      error: 'The receiver closed the connection before it answered.',
      resends: 0,
    });
    expect([requests, receiver.connections()]).toEqual([1, 1]);
  });

  it('closed in the headers', async () => {
    const receiver = await stage.raw((socket) => socket.end('HTTP/1.1 200 OK\r\nX-Half: '));

    expect(await stage.sender().send(buildRequest(receiver.url))).toMatchObject({
      succeeded: false,
      errorCode: 'connection_reset',
    });
  });

  it('a lack of resources of this machine is no answer', () => {
    const context = { host: 'x.example', phase: 'connect', timeoutMs: 1 } as const;

    expect(() => classifyFailure(Object.assign(new Error(), { code: 'EMFILE' }), context)).toThrow(LocalFaultError);
  });
});

describe('TLS', () => {
  async function sendTo(tls: TlsOptions, extraCaPem = [stage.authority.cert]) {
    const receiver = await stage.https((_request, response) => response.end('ok'), tls);
    return stage.sender({ resolver: buildResolver(['127.0.0.1']), extraCaPem }).send(buildRequest(named(receiver)));
  }

  it('a right certificate is accepted, by name and by address', async () => {
    const receiver = await stage.https((_request, response) => response.end('ok'));
    const sender = stage.sender({ resolver: buildResolver(['127.0.0.1']) });

    expect(await sender.send(buildRequest(named(receiver)))).toMatchObject({ succeeded: true });
    expect(await sender.send(buildRequest(`https://receiver.test.:${receiver.port}/`))).toMatchObject({
      succeeded: true,
    });
    expect(await sender.send(buildRequest(receiver.url))).toMatchObject({ succeeded: true });
  });

  it.each([
    ['expired', 'its certificate has expired (CERT_HAS_EXPIRED)', { expired: true }],
    [
      'for another name',
      'its certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
      { names: ['other.test'] },
    ],
  ])('%s', async (_what, words, options) => {
    const result = await sendTo(await buildServerCertificate({ authority: stage.authority, ...options }));

    expect(result).toMatchObject({ succeeded: false, statusCode: null, errorCode: 'tls_error', snippet: null });
    expect(result.error).toBe(`No secure connection to the receiver: ${words}.`);
  });

  it('for another address', async () => {
    const certificate = await buildServerCertificate({ authority: stage.authority, addresses: ['127.0.0.9'] });
    const receiver = await stage.https((_request, response) => response.end('ok'), certificate);

    const result = await stage.sender().send(buildRequest(receiver.url));

    expect(result).toMatchObject({ errorCode: 'tls_error' });
    expect(result.error).toContain('another host name');
  });

  it('self-signed', async () => {
    const result = await sendTo(await buildServerCertificate({}));

    expect(result).toMatchObject({ errorCode: 'tls_error' });
    expect(result.error).toContain('self-signed');
  });

  it('from an unknown authority; extra certificates are added to the roots, not put in their place', async () => {
    const result = await sendTo(stage.certificate, []);

    expect(result).toMatchObject({ errorCode: 'tls_error' });
    expect(result.error).toContain('unknown authority');
  });

  it('TLS 1.1 is too old, TLS 1.2 is not', async () => {
    const old = { minVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' } as const;

    const result = await sendTo({ ...old, maxVersion: 'TLSv1.1' });

    expect(result).toMatchObject({ errorCode: 'tls_error' });
    expect(result.error).toMatch(/TLS 1\.2 or newer/);
    expect(await sendTo({ ...old, maxVersion: 'TLSv1.2' })).toMatchObject({ succeeded: true });
  });

  it('plain HTTP on the port', async () => {
    const receiver = await stage.tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );

    expect(await stage.sender().send(buildRequest(receiver.url))).toMatchObject({
      errorCode: 'tls_error',
      error: 'No secure connection to the receiver: it does not speak TLS on this port.',
    });
  });

  it('a receiver that wants a client certificate', async () => {
    const result = await sendTo({ requestCert: true, rejectUnauthorized: true, ca: stage.authority.cert });

    expect(result.succeeded).toBe(false);
    expect(['tls_error', 'connection_reset']).toContain(result.errorCode);
  });

  it('the host name is sent (SNI), and none for an address', async () => {
    const names: (string | false | undefined)[] = [];
    const server = createServer({ ...stage.certificate, SNICallback: (_name, done) => done(null) }, (socket) => {
      names.push((socket as { servername?: string | false }).servername);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const receiver = await listen(server);
    const sender = stage.sender({ resolver: buildResolver(['127.0.0.1']) });
    try {
      await sender.send(buildRequest(named(receiver)));
      await sender.send(buildRequest(`https://receiver.test.:${receiver.port}/`));
      await sender.send(buildRequest(receiver.url));
    } finally {
      await receiver.close();
    }

    expect(names).toEqual(['receiver.test', 'receiver.test', false]);
  });

  it('a certificate that can not be read is shown at start', () => {
    expect(() => stage.sender({ extraCaPem: ['not a certificate'] })).toThrow('begins with "not a certificate"');
  });
});

describe('names, through c-ares and a real DNS server', () => {
  async function lookUp(answer: Parameters<typeof buildDnsServer>[0]) {
    const receiver = await stage.https((_request, response) => response.end('ok'));
    const dns = await buildDnsServer(answer);
    try {
      const result = await stage.sender({ resolver: dns.resolver }).send(buildRequest(named(receiver)));
      return { result, questions: [...dns.questions].sort() };
    } finally {
      dns.close();
    }
  }

  it('both families are asked, once', async () => {
    const { result, questions } = await lookUp((_name, family) => (family === 4 ? ['127.0.0.1'] : []));

    expect(result).toMatchObject({ succeeded: true, remoteAddress: '127.0.0.1' });
    expect(questions).toEqual(['receiver.test 4', 'receiver.test 6']);
  });

  it.each<[what: string, Parameters<typeof buildDnsServer>[0], expected: object]>([
    [
      'no such name',
      () => NXDOMAIN,
      {
        errorCode: 'dns_error',
        error: 'The name receiver.test could not be resolved: it does not exist or has no address.',
        remoteAddress: null,
      },
    ],
    ['a name without addresses', () => [], { errorCode: 'dns_error' }],
    [
      'failing name servers',
      () => SERVFAIL,
      {
        errorCode: 'dns_error',
        error: 'The name receiver.test could not be resolved: its name servers reported a failure.',
      },
    ],
    ['one family may fail', (_name, family) => (family === 4 ? ['127.0.0.1'] : SERVFAIL), { succeeded: true }],
    // The receiver listens on IPv4 only: what counts is which address was tried.
    ['IPv6 alone', (_name, family) => (family === 6 ? ['::1'] : []), { errorCode: 'connection_refused' }],
  ])('%s', async (_what, answer, expected) => {
    expect((await lookUp(answer)).result).toMatchObject(expected);
  });

  it("the system's name servers are asked through c-ares", async () => {
    // c-ares refuses .onion by itself (RFC 7686), so that no packet leaves this machine.
    const result = await stage.sender().send(buildRequest('https://receiver.onion/'));

    expect(result).toMatchObject({ errorCode: 'dns_error', error: expect.stringContaining('receiver.onion') });
  });
});

describe('what registration would refuse is refused again', () => {
  it.each([
    ['http://127.0.0.1/', 'The URL must begin with https://; http: is not supported.'],
    [
      'https://u:p@127.0.0.1/',
      'The URL must not contain a user name or password; verify the signature of deliveries instead.',
    ],
    [
      'not a url',
      'The URL must not contain spaces, line breaks, control characters or backslashes; percent-encode them.',
    ],
  ])('%s', async (url, error) => {
    expect(await stage.sender().send(buildRequest(url))).toMatchObject({
      succeeded: false,
      errorCode: 'blocked_address',
      error,
    });
  });

  it('plain HTTP works where it is allowed', async () => {
    const receiver = await stage.tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nplain')));
    const sender = stage.sender({ policy: { ...LOOPBACK_POLICY, allowHttp: true } });

    const result = await sender.send(buildRequest(`http://127.0.0.1:${receiver.port}/`));

    expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'plain' });
  });
});

it('errors name no addresses, ports, stacks or internals', async () => {
  const closed = await listen(createServer());
  await closed.close();
  const reset = await stage.tcp((socket) => socket.destroy());
  const sender = stage.sender({ resolver: buildResolver(['10.0.0.1']), timeoutMs: 500 });

  for (const url of [closed.url, reset.url, 'https://receiver.test/']) {
    expect((await sender.send(buildRequest(url))).error).not.toMatch(
      /\d+\.\d+\.\d+\.\d+|:\d{2,5}|ECONN|node:|\bat\b \//,
    );
  }
});

it('after close, nothing is sent, and what was under way has ended', async () => {
  let arrive: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const receiver = await stage.https((_request, response) => {
    arrive();
    setTimeout(() => response.end('ok'), 100);
  });
  const sender = stage.sender();
  const underWay = sender.send(buildRequest(receiver.url));
  await arrived;

  await sender.close();

  expect(await underWay).toMatchObject({ succeeded: true });
  await expect(sender.send(buildRequest(receiver.url))).rejects.toThrow('closed');
});
