import { z } from 'zod';
import { createListReader } from '../../src/http/read-list';
import type { HttpContext } from '../../src/http/request-state';
import { buildRequest } from '../support/build-request';

function requestWith(body: string): HttpContext {
  const { request: req } = buildRequest({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  });
  req.push(body);
  req.push(null);
  const get = (name: string): unknown => req.headers[name.toLowerCase()] ?? '';
  return { req, get } as unknown as HttpContext;
}

it('a list tells its length before any of its entries is checked', async () => {
  const checked: unknown[] = [];
  const entry = z.unknown().refine((value) => {
    checked.push(value);
    return value !== 2;
  }, 'must not be 2');
  const read = createListReader({ member: 'numbers', entry, maxEntries: 3, maxBytes: 1_024 });

  const list = await read(requestWith('{"numbers":[1,2,3]}'));

  expect([list.length, checked]).toEqual([3, []]);
  expect(list.check()).toMatchObject([{ value: 1 }, { error: { code: 'invalid_request' } }, { value: 3 }]);
  expect(checked).toEqual([1, 2, 3]);
});
