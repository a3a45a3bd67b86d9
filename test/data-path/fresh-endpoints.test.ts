import { ENDPOINTS, EVENTS, useTwoApis } from '../support/build-endpoint-testbed';

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
