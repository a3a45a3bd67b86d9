import { forwardEvent } from '../../src/cli/forward-event';
import { parseProxy } from '../../src/parse-settings';
import { createJsonPoster } from '../../src/platform/post-json';
import { sendChallenge } from '../../src/sender/challenge';
import { BODY, buildRequest, LOOPBACK_POLICY, useSenderTestbed, type Receiver } from './receivers';

// RFC 9112 (3.2) wants Host first, some CDNs refuse other requests, and the OWASP core rules want Accept.

const testbed = useSenderTestbed();
const SECRETS = { current: 'whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3' };
const PLAIN = { policy: { ...LOOPBACK_POLICY, allowHttp: true } };
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** A receiver without TLS that keeps the bytes that it gets. */
async function listening(answer: string = OK): Promise<Receiver & { readonly got: string[] }> {
  const got: string[] = [];
  const receiver = await testbed.tcp((socket) =>
    socket.on('data', (bytes) => {
      got.push(bytes.toString('latin1'));
      if (got.join('').includes('\r\n\r\n')) socket.write(answer);
    }),
  );
  return { ...receiver, url: receiver.url.replace('https:', 'http:'), got };
}

/** Every request that Everpost makes at another party's server. */
const REQUESTS: Record<string, (url: string) => Promise<unknown>> = {
  'a delivery': (url) => testbed.send(url, PLAIN),
  "a delivery with the endpoint's own headers": (url) =>
    testbed.sender(PLAIN).send({ ...buildRequest(url), headers: { 'A-First': '1', Authorization: 'Basic x' } }),
  'a challenge': (url) =>
    sendChallenge(testbed.sender(PLAIN), {
      url,
      secrets: SECRETS,
      id: 1,
      challenge: 'abc',
      timestampSeconds: 1,
    }),
  'an alert': (url) => createJsonPoster(url)({ text: 'An endpoint fails' }),
  'an event that `everpost listen` forwards': (url) =>
    forwardEvent({ id: 1, type: 'a.b', timestamp: 1, body: BODY.toString() }, url, SECRETS.current),
};

it.each(Object.keys(REQUESTS))('%s has Host first, and Accept', async (what) => {
  const receiver = await listening();

  await REQUESTS[what]!(receiver.url);

  const lines = receiver.got.join('').split('\r\n');
  expect(lines[1]).toMatch(new RegExp(`^host: 127\\.0\\.0\\.1:${receiver.port}$`, 'i'));
  expect(lines.filter((line) => /^accept:/i.test(line))).toEqual([expect.stringMatching(/^accept: \*\/\*$/i)]);
});

it('the CONNECT to an egress proxy has Host first, and Accept', async () => {
  const proxy = await listening('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');

  await testbed.send('https://receiver.test/', { proxy: parseProxy(`http://user:password@127.0.0.1:${proxy.port}`) });

  const [start, first, ...others] = proxy.got.join('').split('\r\n');
  expect([start, first]).toEqual(['CONNECT receiver.test:443 HTTP/1.1', 'Host: receiver.test:443']);
  expect(others).toContain('Accept: */*');
});

it("the endpoint's own Accept replaces ours, however it is spelled", async () => {
  const receiver = await listening();

  await testbed.sender(PLAIN).send({ ...buildRequest(receiver.url), headers: { aCCept: 'application/json' } });

  const lines = receiver.got.join('').split('\r\n');
  expect(lines.filter((line) => /^accept:/i.test(line))).toEqual(['aCCept: application/json']);
});
