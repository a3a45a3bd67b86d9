import { request } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { buildCaller, type Caller } from '../support/build-caller';
import { ENDPOINTS, EVENTS, useTwoApis } from '../support/build-endpoint-testbed';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';

// Rule 8: no stale matching. An endpoint registered a moment ago by another process is matched.

const apis = useTwoApis();

it('an endpoint registered by another process matches the very next event, every time', async () => {
  const event = { type: 'order.created', data: {} };
  expect((await apis.here.post(EVENTS, event)).body.deliveries).toBe(0);

  for (let count = 1; count <= 15; count += 1) {
    const url = `http://127.0.0.1:9/hook/${count}`;
    expect((await apis.there.post(ENDPOINTS, { url, events: ['order.*'] })).status).toBe(201);
    // Both processes have served events of this account before: their caches are warm.
    const answers = [await apis.here.post(EVENTS, event), await apis.there.post(EVENTS, event)];
    expect(answers.map(({ body }) => body.deliveries)).toEqual([count, count]);
  }
});

it('during a stream of events in one process, an endpoint matches from the moment that another process acknowledges it', async () => {
  let acknowledged = 0;
  let registering = true;
  const missed: string[] = [];

  const pour = async (): Promise<void> => {
    while (registering) {
      const atLeast = acknowledged;
      const { body } = await apis.here.post(EVENTS, { type: 'a.b', data: {} });
      if (body.deliveries < atLeast) missed.push(`${body.deliveries} of ${atLeast}`);
    }
  };
  const register = async (): Promise<void> => {
    for (let count = 0; count < 10; count += 1) {
      await apis.there.post(ENDPOINTS, { url: `http://127.0.0.1:9/hook/${count}` });
      acknowledged += 1;
    }
    registering = false;
  };
  await Promise.all([pour(), pour(), pour(), register()]);

  expect(missed).toEqual([]);
  expect((await apis.here.post(EVENTS, { type: 'a.b', data: {} })).body.deliveries).toBe(10);
});

describe('an event whose body arrives slowly', () => {
  const stack = useStack({ env: { FIRST_ATTEMPT: 'express' } });
  const receiver = useReceiver();
  const used = async ({ accountId }: Caller): Promise<number> => {
    const account = await stack.mongo.db.collection('accounts').findOne({ _id: accountId as never });
    return (account!['limits'] as { quota_used: number }).quota_used;
  };

  /** Sends most of an event, and waits until the call is admitted. @returns a function that sends the rest */
  async function begin(caller: Caller, path = EVENTS) {
    const body = JSON.stringify({ type: 'a', data: { text: 'x'.repeat(5_000) } });
    const before = await used(caller);
    const sending = request(`${stack.url}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${caller.key}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      },
    });
    const answered = once(sending, 'response');
    sending.write(body.slice(0, 3_000));
    await eventually(
      () => used(caller),
      (count) => count > before,
    );
    return async () => {
      sending.end(body.slice(3_000));
      const [response] = await answered;
      return { status: response.statusCode, event: (await json(response)) as { id: number; deliveries: number } };
    };
  }

  it.each<[string, (caller: Caller, id: string) => Promise<unknown>, number, string]>([
    ['a pause', (caller, id) => caller.post(`${ENDPOINTS}/${id}/pause`), 1, 'pending'],
    ['a removal', (caller, id) => caller.call('DELETE', `${ENDPOINTS}/${id}`), 0, 'no_destinations'],
    ['a registration', (caller) => caller.register({ url: receiver.url }), 2, 'delivered'],
  ])('meets %s of the meantime', async (_, change, deliveries, status) => {
    const caller = await buildCaller(stack);
    const { id } = await caller.register({ url: receiver.url });
    // The process knows the endpoints of the account.
    await caller.untilEvent((await caller.ingest()).id, 'delivered');
    const requests = receiver.requests.length;
    const finish = await begin(caller);
    await change(caller, id);

    const { event } = await finish();

    expect(event.deliveries).toBe(deliveries);
    await caller.untilEvent(event.id, status);
    expect(receiver.requests.length - requests).toBe(status === 'delivered' ? deliveries : 0);
  });

  it.each(['an event', 'a test event'])('meets a suspension of the account, as %s', async (what) => {
    const caller = await buildCaller(stack);
    const { id } = await caller.register({ url: receiver.url });
    const requests = receiver.requests.length;
    const finish = await begin(caller, what === 'an event' ? EVENTS : `${ENDPOINTS}/${id}/test`);
    await cliOf(stack).json('account', 'suspend', '--id', caller.accountId);

    expect(await finish()).toMatchObject({ status: 403, event: { code: 'account_suspended' } });

    expect(receiver.requests).toHaveLength(requests);
  });
});
