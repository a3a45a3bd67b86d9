import { createServer as createHttpsServer } from 'node:https';
import { parseProxy } from '../../src/parse-settings';
import { buildServerCertificate } from './certificates';
import { listen, useSenderTestbed } from './receivers';

// Node 22.23.3 and 24.18.1 find no IPv6 address in a certificate (nodejs/node#64144): test/packages/ipv6-literal.test.ts runs them.

const testbed = useSenderTestbed();

/** A receiver on ::1 whose certificate is for these addresses. */
async function listenOnIpv6(addresses: readonly string[]) {
  const certificate = await buildServerCertificate({ authority: testbed.authority, addresses });
  const receiver = await listen(
    createHttpsServer(certificate, (_request, response) => response.end('ok')),
    'https',
    '::1',
  );
  return { ...receiver, url: `https://[::1]:${receiver.port}/hook` };
}

it.each(['[::1]', '[0:0:0:0:0:0:0:1]'])('a delivery to %s arrives over TLS', async (host) => {
  const receiver = await listenOnIpv6(['127.0.0.1', '::1']);

  const result = await testbed.send(`https://${host}:${receiver.port}/hook`);

  expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'ok', remoteAddress: '::1' });
  await receiver.close();
});

it.each([
  ['[::1]', ['127.0.0.1', '2606:4700::1111']],
  ['127.0.0.1', ['::1']],
])('a certificate for another address than %s is refused', async (host, addresses) => {
  const receiver = await listenOnIpv6(addresses);
  const bridge = await testbed.https(
    (_request, response) => response.end('ok'),
    await buildServerCertificate({ authority: testbed.authority, addresses }),
  );
  const port = host === '127.0.0.1' ? bridge.port : receiver.port;

  const result = await testbed.send(`https://${host}:${port}/hook`);

  expect(result).toMatchObject({ succeeded: false, errorCode: 'tls_error' });
  expect(result.error).toContain('for another host name (ERR_TLS_CERT_ALTNAME_INVALID)');
  await receiver.close();
});

it('an egress proxy may have an IPv6 address', async () => {
  const proxy = await listenOnIpv6(['::1']);

  const result = await testbed.send('https://receiver.test/', {
    proxy: parseProxy(`https://user:password@[::1]:${proxy.port}`),
  });

  // It was reached over TLS: a server that knows no CONNECT hangs up.
  expect(result).toMatchObject({ errorCode: 'proxy_error' });
  await proxy.close();
});
