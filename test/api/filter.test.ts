import { expectError, type ApiAnswer } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

const stack = useStack();
const receiver = useReceiver();
const api = useCaller(stack, 'test');

async function endpoint(filter: unknown, events = ['*']): Promise<string> {
  const { id, options } = await api.register({ url: receiver.url, events, options: { filter } });
  expect(options.filter).toEqual(filter);
  return id;
}

const deliveries = async (data: string, type = 'order.created'): Promise<number> =>
  (await api.post(EVENTS, `{"type":"${type}","data":${data}}`)).body.deliveries;

describe('an endpoint with a filter', () => {
  it('gets only events whose data matches, with the bytes that were sent', async () => {
    await endpoint({ total: { $gte: 100 }, 'customer.country': { $in: ['DE', 'FR'] } });
    expect(await deliveries('{"total":99.99,"customer":{"country":"DE"}}')).toBe(0);
    expect(await deliveries('{"total":500,"customer":{"country":"IT"}}')).toBe(0);
    expect(await deliveries('{"total":"500","customer":{"country":"FR"}}')).toBe(0);
    expect(await deliveries('{}')).toBe(0);
    const data = '{ "total":100.0, "customer" : {"country":"FR"}, "big":12345678901234567890 }';
    expect(await deliveries(data)).toBe(1);
    const [request] = await receiver.waitFor(1);
    expect(request!.body.toString()).toContain(`"data":${data},`);
    expect(receiver.requests).toHaveLength(1);
  });

  it('narrows what its patterns select; other endpoints get what they always did', async () => {
    await endpoint({ n: 1 }, ['order.*']);
    await endpoint({ n: { $ne: 1 } });
    await api.register({ url: receiver.url });
    expect(await deliveries('{"n":1}')).toBe(2);
    expect(await deliveries('{"n":2}')).toBe(2);
    expect(await deliveries('{"n":1}', 'user.created')).toBe(1);
  });

  it('applies from the next event on when PATCH changes it or switches it off, in batches too', async () => {
    const id = await endpoint({ n: 1 });
    expect(await deliveries('{"n":2}')).toBe(0);
    const changed = await api.call('PATCH', `${ENDPOINTS}/${id}`, { options: { filter: { n: { $gt: 1 } } } });
    expect([changed.status, changed.body.options.filter]).toEqual([200, { n: { $gt: 1 } }]);
    expect([await deliveries('{"n":1}'), await deliveries('{"n":2}')]).toEqual([0, 1]);
    const events = [1, 2, 3].map((n) => ({ type: 'a', data: { n } }));
    const { body } = await api.post(`${EVENTS}/batch`, { events });
    expect(body.results.map((result: { deliveries: number }) => result.deliveries)).toEqual([0, 1, 1]);
    await api.call('PATCH', `${ENDPOINTS}/${id}`, { options: { filter: null } });
    expect(await deliveries('{"n":1}')).toBe(1);
  });

  it('may name any field, also those that every JavaScript object has', async () => {
    const filter = '{"__proto__":{"$eq":1},"a.constructor":"x"}';
    const made = await api.post(
      ENDPOINTS,
      `{"url":"${receiver.url}","events":["own.proto"],"options":{"filter":${filter}}}`,
    );
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.body.options.filter)).toBe(filter);

    const sent = async (data: string) =>
      (await api.post(EVENTS, `{"type":"own.proto","data":${data}}`)).body.deliveries;
    expect(await sent('{"__proto__":1,"a":{"constructor":"x"}}')).toBe(1);
    expect(await sent('{"__proto__":2,"a":{"constructor":"x"}}')).toBe(0);
    expect(await sent('{"a":{}}')).toBe(0);
  });

  it('is refused if invalid, with the path to each problem', async () => {
    const refused = async (filter: unknown, details: object[]): Promise<void> => {
      const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
      const answer = await api.post(ENDPOINTS, `{"url":"${receiver.url}","options":{"filter":${text}}}`);
      expectError(answer, 400, { details });
    };
    await refused({ total: { $above: 1 } }, [
      {
        path: 'options.filter.total.$above',
        message: expect.stringMatching(/^is not an operator here; use one of \$all/),
      },
    ]);
    await refused({ $where: 'sleep(1000)', id: { $regex: '(a+)+$' } }, [
      { path: 'options.filter.$where', message: expect.any(String) },
      { path: 'options.filter.id.$regex', message: expect.any(String) },
    ]);
    await refused({ $or: [{ a: 1 }, { b: { $in: [1, {}] } }] }, [
      { path: 'options.filter.$or[1].b.$in[1]', message: 'must be a string, a number, true, false or null' },
    ]);
    await refused([], [{ path: 'options.filter', message: 'must be an object' }]);
  });
});

it('refuses expensive filters and data before comparing, without slowing other calls', async () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 5);
  for (let index = 0; index < 10; index += 1) await endpoint({ a: { $nin: values } });
  const other = await buildCaller(stack);
  const deep = `{"type":"a","data":{"a":${'['.repeat(250)}${'1,'.repeat(100_000)}1${']'.repeat(250)}}}`;
  const [answer, { status }] = await Promise.all([api.post(EVENTS, deep), other.post(EVENTS, { type: 'a', data: {} })]);
  expectError(answer, 422, 'filters_too_costly');
  expect(answer.body.error).toMatch(
    /compare with 1000 values, which takes too long for the 100\d{3} values in the lists/,
  );
  expect(status).toBe(202);
  expect(await deliveries('{"a":7}')).toBe(0);
  await eventually(
    () => deliveries('{"a":1}'),
    (count) => count === 10,
  );
});

describe('a batch with costly filters', () => {
  // As much as one event may cost, so that eight of them fit at a time.
  const costly = { type: 'order.created', data: { a: Array.from({ length: 650 }, () => 1) } };
  const batchOf = (count: number) => ({ events: Array.from({ length: count }, () => costly) });
  const codesOf = ({ body }: ApiAnswer): string[] =>
    body.results.map(({ code, status }: ApiAnswer['body']) => code ?? status);

  it('is admitted up to the budget of a call; the rest gets 429, is not evaluated, and counts in the quota', async () => {
    await endpoint({ a: { $all: Array.from({ length: 100 }, (_, index) => index) } });
    const answer = await api.post(`${EVENTS}/batch`, batchOf(10));

    expect(codesOf(answer)).toEqual([
      ...Array.from({ length: 8 }, () => 202),
      ...Array.from({ length: 2 }, () => 'filter_budget_exceeded'),
    ]);
    expect(answer.body.results[9]).toMatchObject({
      status: 429,
      error: expect.stringContaining('takes too long at a time'),
    });
    // The registration and the ten events.
    expect(answer.headers.get('X-Quota-Used')).toBe('11');
    expect(codesOf(await api.post(`${EVENTS}/batch`, batchOf(2)))).toEqual([202, 202]);
  });

  it("uses up the minute of its account's tier, and no other account's", async () => {
    const free = await buildCaller(stack, { tier: 'free' });
    const filter = { a: { $nin: Array.from({ length: 100 }, (_, index) => index) } };
    for (const caller of [free, api]) await caller.register({ url: receiver.url, options: { filter } });
    expect(codesOf(await free.post(`${EVENTS}/batch`, batchOf(4)))).toEqual([
      202,
      'filter_budget_exceeded',
      'filter_budget_exceeded',
      'filter_budget_exceeded',
    ]);

    expectError(await free.post(EVENTS, costly), 429, 'filter_budget_exceeded');
    expect((await api.post(EVENTS, costly)).status).toBe(202);
    expect((await free.post(EVENTS, { type: 'order.created', data: {} })).status).toBe(202);
  });
});
