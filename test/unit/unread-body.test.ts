import { once } from 'node:events';
import type { HttpContext } from '../../src/http/request-state';
import { createDiscardUnreadBody } from '../../src/http/unread-body';
import { buildRequest } from '../support/build-request';

it('unread bodies are discarded in turns, a chunk of each connection at a time', async () => {
  const discard = createDiscardUnreadBody();
  const order: string[] = [];
  const requests = ['a', 'b', 'c'].map((name) => {
    const { request, socket } = buildRequest();
    const chunks = [`${name}1`, `${name}2`, `${name}3`];
    // The next chunk is in the system until the socket is read.
    socket.on('resume', () => {
      const chunk = chunks.shift();
      if (chunk !== undefined) order.push(chunk);
      request.push(chunk ?? null);
    });
    return request;
  });
  const ended = requests.map((request) => once(request, 'end'));

  for (const req of requests) await discard({ req } as HttpContext, async () => undefined);
  await Promise.all(ended);

  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
});
