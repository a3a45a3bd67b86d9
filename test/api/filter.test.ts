import { expectError } from '../support/api-client';
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
    await refused('{"__proto__":{"$eq":1}}', [
      { path: 'options.filter.__proto__', message: 'must not lead through "__proto__"' },
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
  expect(answer.body.error).toMatch(/compare with 1000 values, which takes too long for 2\d{5} bytes of data/);
  expect(status).toBe(202);
  expect(await deliveries('{"a":7}')).toBe(0);
  await eventually(
    () => deliveries('{"a":1}'),
    (count) => count === 10,
  );
});
