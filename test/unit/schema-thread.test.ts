import { join } from 'node:path';
import { checkSchema } from '../../src/event-types/check-schema';
import type { SchemaAnswer, SchemaQuestion } from '../../src/event-types/schema-thread';
import { createLimitedThread, CutOffError, type LimitedThread } from '../../src/platform/limited-thread';

type Thread = LimitedThread<SchemaQuestion, SchemaAnswer>;

const FILE = join(__dirname, '../../src/event-types/schema-thread');
/** No check of these tests takes as long on the busiest machine. */
const GENEROUS_MS = 60_000;
const ORDER = {
  type: 'object',
  required: ['total'],
  properties: { total: { type: 'number' }, items: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
};
/** Takes time that doubles with each character: years for these 60. */
const ENDLESS = { properties: { text: { pattern: '^(a+)+$' } } };
const ENDLESS_TEXT = { text: `${'a'.repeat(60)}!` };

const ask = (thread: Thread, schema: object, data: unknown) =>
  thread.ask({ schema: JSON.stringify(schema), data: JSON.stringify(data) });

describe('a thread that checks data against schemas', () => {
  let thread: Thread;
  beforeAll(() => {
    thread = createLimitedThread(FILE, GENEROUS_MS);
  });
  afterAll(() => thread.close());

  test('takes data that matches', async () => {
    await expect(ask(thread, ORDER, { total: 1 })).resolves.toMatchObject({ errors: [] });
  });

  test('says what is wrong, and where', async () => {
    await expect(ask(thread, ORDER, { items: ['a', 1], 'a/b': 1 })).resolves.toMatchObject({
      errors: [
        { path: 'data.total', message: 'is required' },
        { path: 'data.a/b', message: 'is not allowed' },
        { path: 'data.items[1]', message: 'must be string' },
      ],
    });
  });

  test('tells ten errors at most', async () => {
    const answer = await ask(thread, ORDER, { total: 1, items: Array.from({ length: 30 }, () => 1) });
    expect(answer).toHaveProperty('errors.length', 10);
  });

  test.each([
    ['another document', { $ref: 'https://example.com/a.json' }, 'schema', 'https://example.com/a.json'],
    ['no place in it', { $ref: '#/$defs/missing' }, 'schema', '#/$defs/missing'],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'schema.$schema', 'draft/2020-12'],
    ['a type that does not exist', { properties: { a: { type: 'money' } } }, 'schema.properties.a.type', 'must be'],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, 'schema', 'Unterminated group'],
    ['a check that is a promise', { $async: true, type: 'object' }, 'schema.$async', 'not supported'],
  ])('refuses a schema with %s, and says where', async (_what, schema, path, words) => {
    const verdict = await checkSchema(thread.ask, JSON.stringify(schema), null);
    expect(verdict.is).toBe('invalid');
    expect(verdict).toHaveProperty(
      'details',
      expect.arrayContaining([{ path, message: expect.stringContaining(words) as string }]),
    );
  });

  test('takes a schema with an example that matches it, and refuses one that does not', async () => {
    const schema = JSON.stringify(ORDER);
    await expect(checkSchema(thread.ask, schema, null)).resolves.toEqual({ is: 'ok' });
    await expect(checkSchema(thread.ask, schema, '{"total":1}')).resolves.toEqual({ is: 'ok' });
    await expect(checkSchema(thread.ask, schema, '{"total":"1"}')).resolves.toEqual({
      is: 'mismatch',
      details: [{ path: 'data.total', message: 'must be number' }],
    });
  });
});

describe('a check that does not end', () => {
  let thread: Thread;
  beforeEach(() => {
    thread = createLimitedThread(FILE, 1);
  });
  afterEach(() => thread.close());

  test('is cut off', async () => {
    await expect(ask(thread, ENDLESS, ENDLESS_TEXT)).rejects.toThrow(CutOffError);
  });

  test('makes a schema invalid, if its example needs it', async () => {
    const verdict = checkSchema(thread.ask, JSON.stringify(ENDLESS), JSON.stringify(ENDLESS_TEXT));
    await expect(verdict).resolves.toMatchObject({ is: 'invalid' });
  });
});

test('those that waited behind a check that does not end are answered after three seconds, its limit here', async () => {
  const thread: Thread = createLimitedThread(FILE, 3_000);
  const endless = ask(thread, ENDLESS, ENDLESS_TEXT);
  const waiting = [2, 3].map((total) => ask(thread, ORDER, { total }));
  await expect(endless).rejects.toThrow(CutOffError);
  await expect(Promise.all(waiting)).resolves.toMatchObject([{ errors: [] }, { errors: [] }]);
  await thread.close();
});
