import { MongoServerError } from 'mongodb';
import { InvalidRequestError, NotFoundError, UnavailableError } from '../../src/domain/errors';
import { mapErrors } from '../../src/http/error-mapper';
import type { HttpContext } from '../../src/http/request-state';

/** What becomes of an error that a middleware throws. */
async function answerTo(thrown: unknown) {
  const headers: Record<string, string> = {};
  const logged: [string, object][] = [];
  const log = (level: string) => (fields: object) => void logged.push([level, fields]);
  const ctx = {
    state: { requestId: 'req_1', log: { error: log('error'), warn: log('warn'), info: log('info') } },
    set: (name: string, value: string) => void (headers[name] = value),
  } as unknown as HttpContext & { status: number; body: Record<string, unknown> };
  await mapErrors(ctx, async () => {
    // oxlint-disable-next-line typescript/only-throw-error -- anything can be thrown
    throw thrown;
  });
  return { status: ctx.status, body: ctx.body, headers, logged };
}

it('details are present only if there are any', async () => {
  const details = [{ path: 'url', message: 'is required' }];
  expect((await answerTo(new InvalidRequestError('m', 'invalid_request', details))).body['details']).toEqual(details);
  expect((await answerTo(new InvalidRequestError('m', 'invalid_request'))).body).not.toHaveProperty('details');
});

it.each<[what: string, thrown: unknown]>([
  ['an unexpected error', new TypeError('secret internals')],
  ['a text', 'secret internals'],
  ['nothing', undefined],
  ['an object', { message: 'secret internals', status: 200, expose: true }],
])('500 reveals nothing of %s', async (_what, thrown) => {
  const answer = await answerTo(thrown);
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error', request_id: 'req_1' } });
  expect(JSON.stringify(answer.body)).not.toContain('secret');
  expect(answer.logged).toEqual([['error', { err: thrown, code: 'internal_error' }]]);
});

it("503 when MongoDB's disk is full, and the error is in the log", async () => {
  const full = new MongoServerError({ code: 8, errmsg: '28: No space left on device' });
  const answer = await answerTo(full);
  expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '2' }, body: { code: 'service_unavailable' } });
  expect(answer.logged).toEqual([['error', { err: full, code: 'service_unavailable' }]]);
});

it('503 when other writers kept a transaction from its end', async () => {
  const answer = await answerTo(
    new MongoServerError({ code: 112, errmsg: 'WriteConflict', errorLabels: ['TransientTransactionError'] }),
  );
  expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '2' }, body: { code: 'service_unavailable' } });
});

it.each([
  ['a server error', new UnavailableError('m', 'invalid_request', 1, 'the detail'), 'warn'],
  ["a caller's error", new NotFoundError('m', 'invalid_request', 'the detail'), 'info'],
])('the detail of %s is only in the log, without a stack', async (_what, thrown, level) => {
  const answer = await answerTo(thrown);

  expect(JSON.stringify(answer.body)).not.toContain('the detail');
  expect(answer.logged).toEqual([[level, { code: 'invalid_request' }]]);
});
