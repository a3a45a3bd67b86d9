import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { listen } from '../sender/receivers';
import { buildAttempt, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { useFixture } from '../support/fixture';

// Rule 12: each attempt stores the URL it went to; a hidden re-send on a reset pooled socket shows as `resends: 1`.

const path = useDataPath();
const receiver = useReceiver();
const echo = useFixture('test', buildEcho, (it) => it.close());
const forgetful = useFixture('test', buildForgetfulReceiver, (it) => it.close());

it('a request that was resent because its kept connection was dead shows that', async () => {
  const first = await path.promiseTo(forgetful.url);
  const second = await path.promise(first.type);
  const worker = path.executor();

  await worker.attemptDelivery(buildAttempt(first.ref));
  expect(await worker.attemptDelivery(buildAttempt(second.ref))).toMatchObject({ kind: 'answered', statusCode: 200 });

  const [[one], [other]] = await Promise.all([path.history(first.id), path.history(second.id)]);
  expect([one!.answer.resends, other!.answer.resends]).toEqual([0, 1]);
});

it('the history is exact: start, latency, status, error and the beginning of the response body', async () => {
  receiver.answerWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return 418;
  });
  const { ref } = await path.promiseTo(receiver.url);
  const before = Date.now();
  await path.executor().attemptDelivery(buildAttempt(ref, { trigger: 'manual' }));

  const [attempt] = await path.history(ref.eventId);
  expect(attempt).toMatchObject({ number: 1, run: 1, trigger: 'manual' });
  expect(attempt!.answer).toMatchObject({
    succeeded: false,
    status_code: 418,
    error_code: 'http_status',
    error: expect.stringContaining('418'),
    response_snippet: 'answer 418',
    url: receiver.url,
    resends: 0,
  });
  expect(attempt!.answer.started_at.getTime()).toBeGreaterThanOrEqual(before);
  expect(attempt!.answer.latency_ms).toBeGreaterThanOrEqual(55);
  expect(attempt!.answer.latency_ms).toBeLessThanOrEqual(Date.now() - before);
});

it("keeps a response's headers without credentials, and without the endpoint's secrets that it sends back", async () => {
  const { ref } = await path.promiseTo(echo.url, { headers: { 'X-Tenant': 'blue' } });

  await path.executor().attemptDelivery(buildAttempt(ref));

  const history = await path.history(ref.eventId);
  const lines = history[0]!.answer.response_headers!.split('\n');
  expect(lines).toEqual(expect.arrayContaining(['X-Server: echo', 'Set-Cookie: [hidden]', 'X-Tenant: [hidden]']));
  expect(JSON.stringify(history)).not.toMatch(/blue|s3cret/);
});

it('shows how long an attempt waited after it was due, unless a caller asked for it earlier', async () => {
  receiver.answerWith(503);
  const { ref } = await path.promiseTo(receiver.url);
  const due = { 'destinations.0.next_attempt_at': new Date(Date.now() - 5_000) };
  await path.events.updateOne({ _id: ref.eventId }, { $set: due });
  const worker = path.executor();

  await worker.attemptDelivery(buildAttempt(ref));
  await worker.attemptDelivery(buildAttempt(ref, { number: 2, trigger: 'manual' }));

  const [first, second] = await path.history(ref.eventId);
  expect(first!.answer.queued_ms).toBeGreaterThanOrEqual(5_000);
  expect(second!.answer).not.toHaveProperty('queued_ms');
});

/** Sends back what it got, with a cookie. */
function buildEcho() {
  const server = createHttpServer((request, response) => {
    const { 'x-tenant': tenant = '' } = request.headers;
    response.writeHead(200, { 'X-Server': 'echo', 'Set-Cookie': 'sid=s3cret', 'X-Tenant': tenant }).end('ok');
  });
  return listen(server, 'http');
}

/** Answers the first request of a connection and cuts the connection at its second: a keep-alive that was not meant. */
async function buildForgetfulReceiver() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    let answered = false;
    socket.on('data', () => {
      if (answered) return void socket.resetAndDestroy();
      answered = true;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
