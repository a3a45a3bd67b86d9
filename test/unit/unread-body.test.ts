import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { HttpContext } from '../../src/http/request-state';
import { createDiscardUnreadBody } from '../../src/http/unread-body';

/** A request whose body has arrived up to its last byte and was not read. */
function buildRequest(chunks: readonly string[]) {
  const req = new Readable({ read: () => undefined });
  const closed: true[] = [];
  for (const chunk of chunks) req.push(Buffer.from(chunk));
  const socket = { destroy: () => void closed.push(true) };
  return { req, ctx: { req: Object.assign(req, { complete: false, socket }) } as unknown as HttpContext, closed };
}

const answer = async (): Promise<void> => undefined;

it('bodies that nobody reads are discarded in turns, a chunk of each connection at a time', async () => {
  const discard = createDiscardUnreadBody();
  const order: string[] = [];
  const requests = ['a', 'b', 'c'].map((name) => buildRequest([`${name}1`, `${name}2`, `${name}3`]));
  for (const { req, ctx } of requests) {
    req.on('data', (chunk: Buffer) => order.push(chunk.toString()));
    req.pause();
    await discard(ctx, answer);
    req.push(null);
  }

  await Promise.all(requests.map(({ req }) => once(req, 'end')));

  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
});

it('a connection is closed when 128 others wait for their turn, and not when they have had it', async () => {
  const discard = createDiscardUnreadBody();
  const requests = Array.from({ length: 131 }, () => buildRequest(['x'.repeat(65_536)]));
  for (const { ctx } of requests) await discard(ctx, answer);

  await Promise.all(requests.map(({ req }) => once(req, 'resume')));
  expect(requests.map(({ closed }) => closed.length)).toEqual([...Array<number>(129).fill(0), 1, 1]);

  for (const { req } of requests) req.push(null);
  await Promise.all(requests.slice(0, 129).map(({ req }) => once(req, 'end')));
  const late = buildRequest(['x']);
  await discard(late.ctx, answer);
  late.req.push(null);
  await once(late.req, 'end');
  expect(late.closed).toEqual([]);
});

it('a connection is closed after 4 MiB', async () => {
  const discard = createDiscardUnreadBody();
  const { req, ctx, closed } = buildRequest(Array<string>(65).fill('x'.repeat(65_536)));
  await discard(ctx, answer);

  while (req.readableLength > 0) await once(req, 'data');

  expect(closed).toEqual([true]);
});
