import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createEndpointCapacity } from '../../src/engine/endpoint-capacity';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// A receiver that answers and never ends its answer delays nothing: schedule, line, cap and health follow the status.

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,100ms' } });

/** Answers each request with the status and the beginning of an answer, and keeps the connection open. */
async function openReceiver() {
  const open = new Set<Socket>();
  let head = 'HTTP/1.1 503 Busy\r\n';
  let requests = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => {
      requests += 1;
      socket.write(`${head}\r\nnever ends`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    open,
    requests: () => requests,
    answerWith: (next: string) => void (head = next),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

const receiver = useFixture('test', openReceiver, (it) => it.close());

it('the attempt is recorded and its retry is due while the body is still open', async () => {
  const { ref } = await path.promiseTo(receiver.url);

  const outcome = await path.executor().attemptDelivery(buildAttempt(ref, { nextDelayMs: 1_000 }));

  expect(receiver.open.size).toBe(1);
  expect(outcome).toMatchObject({ kind: 'answered', statusCode: 503 });
  const { answer } = (await path.history(ref.eventId))[0]!;
  expect(answer).toMatchObject({ status_code: 503, response_snippet: 'never ends' });
  const { state, next_attempt_at: next } = await path.destination(ref);
  expect(state).toBe('retrying');
  // A second after the status and the moment that its body had.
  expect(next!.getTime() - answer.started_at.getTime() - answer.latency_ms).toBeLessThan(2_000);
});

it('the history gets the rest when the reading has ended (waits for 2 s)', async () => {
  const { ref } = await path.promiseTo(receiver.url);
  await path.executor().attemptDelivery(buildAttempt(ref));
  const [socket] = receiver.open;
  socket!.write(' after all');

  const [attempt] = await eventually(
    () => path.history(ref.eventId),
    ([{ answer } = {} as never]) => answer.warning !== undefined,
  );

  expect(attempt!.answer).toMatchObject({
    response_snippet: 'never ends after all',
    warning: 'The body of the answer did not end within 2 s.',
    timings: { body: expect.any(Number) },
  });
});

it('a process that stops records the rest first (waits for 2 s)', async () => {
  const { ref } = await path.promiseTo(receiver.url);
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(ref));

  await worker.close();

  expect((await path.history(ref.eventId))[0]!.answer.warning).toBe('The body of the answer did not end within 2 s.');
});

it.each(['HTTP/1.1 503 Busy\r\n', 'HTTP/1.1 200 OK\r\n'])('the next request has room at once (%j)', async (head) => {
  receiver.answerWith(head);
  const capacity = createEndpointCapacity(1);
  const type = ownType();
  const endpointId = await path.endpoint(receiver.url, type);
  const worker = path.executor({ capacity });

  for (let count = 1; count <= 6; count += 1) {
    const { ref } = await path.promise(type);
    expect(await worker.attemptDelivery(buildAttempt(ref))).toMatchObject({ kind: 'answered' });
    expect(capacity.freeSlots(endpointId)).toBe(1);
  }

  expect([capacity.isSlow(endpointId), capacity.hangs(endpointId)]).toEqual([false, false]);
  expect(receiver.requests()).toBe(6);
});

it.each(['HTTP/1.1 503 Busy\r\n', 'HTTP/1.1 200 OK\r\n'])('an ordered line goes on (%j)', async (head) => {
  receiver.answerWith(head);
  const type = ownType();
  await path.endpoint(receiver.url, type, { ordered: true });
  const promised = [await path.promise(type), await path.promise(type), await path.promise(type)];
  const worker = path.executor();

  for (const { ref } of promised) {
    const outcome = await worker.attemptDelivery(buildAttempt(ref, { nextDelayMs: null }));
    expect(outcome).toMatchObject({ kind: 'answered' });
  }

  // None was held until an earlier body had ended.
  expect(receiver.requests()).toBe(3);
});

it('the recorded latency is that of the status, and the endpoint is not hanging', async () => {
  const { ref, endpointId } = await path.promiseTo(receiver.url);
  const outcome = await path.executor().attemptDelivery(buildAttempt(ref));

  expect(outcome).toMatchObject({ kind: 'answered' });
  const { answer } = (await path.history(ref.eventId))[0]!;
  const { body: _body, ...untilStatus } = answer.timings;
  expect(Object.values(untilStatus).reduce((sum, ms) => sum + ms, 0)).toBe(answer.latency_ms);
  expect(path.parts.capacity.hangs(endpointId)).toBe(false);
});
