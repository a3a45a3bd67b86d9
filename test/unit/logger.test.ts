import { Writable } from 'node:stream';
import { UnavailableError } from '../../src/domain/errors';
import { createLogger } from '../../src/platform/logger';

/** The content of a log line. */
function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  let text = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  write(createLogger('trace', destination));
  return JSON.parse(text) as Record<string, unknown>;
}

const HIDDEN = 'authorization Authorization x-api-key cookie set-cookie password secret next_secret key data body';

it.each(HIDDEN.split(' '))('the value of %s is hidden in the first three levels', (name) => {
  const line = logged((logger) =>
    logger.info({ [name]: 'hidden', a: { [name]: 'hidden', b: { [name]: 'hidden' } } }, 'x'),
  );
  expect(JSON.stringify(line)).not.toContain('hidden');
  expect(line[name]).toBe('[redacted]');
});

it('an error is written under any name, like that of a failed activity, without its properties', () => {
  const error = Object.assign(new TypeError('it failed'), { document: { note: 'hidden' } });

  const line = logged((logger) => logger.child({ part: 'sdk' }).warn({ error, attempt: 1 }, 'Activity failed'));

  expect(JSON.stringify(line)).not.toContain('hidden');
  expect(line).toMatchObject({
    part: 'sdk',
    attempt: 1,
    msg: 'Activity failed',
    error: { type: 'TypeError', message: 'it failed', stack: expect.stringContaining('logger.test') },
  });
});

it('an error logged on its own is written as an error too', () => {
  expect(logged((logger) => logger.error(new TypeError('it failed')))['err']).toMatchObject({
    type: 'TypeError',
    message: 'it failed',
  });
});

it('an error is written as name, message, code, stack and causes, without its properties', () => {
  const cause = Object.assign(new TypeError('the reason'), { writeErrors: [{ op: { note: 'hidden' } }] });
  const error = Object.assign(new Error('it failed', { cause }), {
    code: 'E_IT',
    document: { note: 'hidden' },
    result: ['hidden'],
  });
  const line = logged((logger) => logger.error({ err: error }, 'x'));
  expect(JSON.stringify(line)).not.toContain('hidden');
  expect(line['err']).toMatchObject({
    type: 'Error',
    message: 'it failed',
    code: 'E_IT',
    stack: expect.stringContaining('logger.test'),
    cause: { type: 'TypeError', message: 'the reason' },
  });
});

it("the log has the detail of an error that callers don't see", () => {
  const error = new UnavailableError('Try again.', 'ingest_busy', 2, 'the third one is away');
  const line = logged((logger) => logger.error({ err: error }, 'x'));
  expect(line['err']).toMatchObject({ message: 'Try again.', detail: 'the third one is away', code: 'ingest_busy' });
});

it('a circular cause ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(logged((logger) => logger.error({ err: error }, 'x'))).length).toBeLessThan(20_000);
});

it("a thrown value that isn't an error is written as text", () => {
  expect(logged((logger) => logger.error({ err: 'text' }, 'x'))['err']).toEqual({ message: 'text' });
});
