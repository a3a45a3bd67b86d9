import { join } from 'node:path';
import type { SchemaAnswer, SchemaQuestion } from '../../src/event-types/schema-thread';
import { createLimitedThread, CutOffError, type LimitedThread } from '../../src/platform/limited-thread';

const FILE = join(__dirname, '../../src/event-types/schema-thread');
const ORDER = JSON.stringify({
  type: 'object',
  required: ['total'],
  properties: { total: { type: 'number' }, items: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
});
/** Takes time that doubles with each character. */
const ENDLESS = JSON.stringify({ properties: { text: { pattern: '^(a+)+$' } } });

describe('a thread that checks data against schemas', () => {
  let thread: LimitedThread<SchemaQuestion, SchemaAnswer>;
  beforeEach(() => {
    thread = createLimitedThread(FILE, 2000);
  });
  afterEach(() => thread.close());
  const check = (schema: string, data: unknown) => thread.ask({ key: schema, schema, data: JSON.stringify(data) });

  test('takes data that matches', async () => {
    await expect(check(ORDER, { total: 1 })).resolves.toEqual({ errors: [] });
  });

  test('says what is wrong, and where', async () => {
    await expect(check(ORDER, { items: ['a', 1], 'a/b': 1 })).resolves.toEqual({
      errors: [
        { path: 'data.total', message: 'is required' },
        { path: 'data.a/b', message: 'is not allowed' },
        { path: 'data.items[1]', message: 'must be string' },
      ],
    });
  });

  test('refuses a schema that refers to another document', async () => {
    await expect(check(JSON.stringify({ $ref: 'https://example.com/a.json' }), {})).resolves.toEqual({
      unusable: expect.stringContaining('https://example.com/a.json') as string,
    });
  });

  test('cuts off a check that does not end, and answers those that waited', async () => {
    const endless = check(ENDLESS, { text: `${'a'.repeat(60)}!` });
    const waiting = check(ORDER, { total: 2 });
    await expect(endless).rejects.toThrow(CutOffError);
    await expect(waiting).resolves.toEqual({ errors: [] });
    await expect(check(ORDER, { total: 3 })).resolves.toEqual({ errors: [] });
  });
});
