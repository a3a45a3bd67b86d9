import { checkDestinationUrl } from '../../src/sender/destination-url-check';
import { buildServerCertificate } from './certificates';
import { buildResolver, LOOPBACK_POLICY, useSenderTestbed } from './receivers';

// What is stored and shown is what is requested, however a URL was spelled.

const testbed = useSenderTestbed();

it.each([
  ['https://receiver.test:PORT', '/'],
  ['HTTPS://Receiver.TEST:PORT/Hook', '/Hook'],
  ['https://receiver.test:0PORT/a/../b/./c/%2e%2e/d', '/b/d'],
  ['https://receiver.test:PORT/a//../b', '/a/b'],
  ['https://receiver.test:PORT/ä/路?q=ü', '/%C3%A4/%E8%B7%AF?q=%C3%BC'],
  ['https://receiver.test:PORT/"<>`{}?"<>\'', '/%22%3C%3E%60%7B%7D?%22%3C%3E%27'],
  ['https://receiver.test:PORT/%zz|^[]%41', '/%zz|^[]%41'],
  ['https://receiver.test:PORT?a=b', '/?a=b'],
  ['https://receiver.test:PORT/?', '/?'],
  ['https://receiver.test:PORT/a?', '/a?'],
  ['https://receiver.test:PORT/a?b?c', '/a?b?c'],
  ['https://%72eceiver。test:PORT/', '/'],
  ['https://ｒeceiver.test:PORT/', '/'],
  ['https://bücher.test:PORT/', '/'],
  ['https://127.1:PORT/', '/'],
  ['https://0x7f000001:PORT/', '/'],
  ['https://[0:0:0:0:0:0:0:1]:PORT/', '/'],
])('%s', async (spelling, target) => {
  const certificate = await buildServerCertificate({
    authority: testbed.authority,
    names: ['receiver.test', 'xn--bcher-kva.test'],
  });
  const seen: string[] = [];
  const receiver = await testbed.https(
    (request, response) => {
      seen.push(`https://${request.headers.host}${request.url}`);
      response.end('ok');
    },
    certificate,
    spelling.startsWith('https://[') ? '::1' : undefined,
  );
  const stored = checkDestinationUrl(spelling.replace('PORT', String(receiver.port)), LOOPBACK_POLICY);

  // Also for an endpoint that was registered by an earlier version, which stored what it was sent.
  const results = [
    await testbed.send(stored, { resolver: buildResolver(['127.0.0.1']) }),
    await testbed.send(spelling.replace('PORT', String(receiver.port)), { resolver: buildResolver(['127.0.0.1']) }),
  ];

  expect(new URL(stored).href.slice(new URL(stored).origin.length)).toBe(target);
  expect(results.map(({ url, statusCode }) => [url, statusCode])).toEqual([
    [stored, 200],
    [stored, 200],
  ]);
  expect(seen).toEqual([stored, stored]);
});
