import { startRole, type RunningRole } from '../../src/main';
import { createLogger } from '../../src/platform/logger';
import { apiClient } from '../support/api-client';
import { buildAccount } from '../support/build-stack';
import { buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 8: no stale matching. An endpoint registered a moment ago by another process is matched.

let path: DataPath;
let apis: RunningRole[];

beforeAll(async () => {
  path = await buildDataPath();
  const logger = createLogger(path.config.logLevel);
  apis = await Promise.all([startRole('api', path.config, logger), startRole('api', path.config, logger)]);
});

afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.close()));
  await path?.close();
});

test('an endpoint that another process registered is matched by the very next event, every time', async () => {
  const { key } = await buildAccount(path.config, path.mongo);
  const [here, there] = apis.map(({ url }) => apiClient(url!, key));
  const event = { type: 'order.created', data: {} };
  expect((await here!.post('/api/v1/webhooks/events', event)).body.deliveries).toBe(0);

  for (let count = 1; count <= 15; count += 1) {
    const url = `http://127.0.0.1:9/hook/${count}`;
    expect((await there!.post('/api/v1/webhooks/endpoints', { url, events: ['order.*'] })).status).toBe(201);
    // Both processes have served events of this account before: their caches are warm.
    const answers = [
      await here!.post('/api/v1/webhooks/events', event),
      await there!.post('/api/v1/webhooks/events', event),
    ];
    expect(answers.map(({ body }) => body.deliveries)).toEqual([count, count]);
  }
});

test('while events pour in on one process, each endpoint that the other one acknowledges is matched from then on', async () => {
  const { key } = await buildAccount(path.config, path.mongo);
  const [here, there] = apis.map(({ url }) => apiClient(url!, key));
  let acknowledged = 0;
  let registering = true;
  const missed: string[] = [];

  const pour = async (): Promise<void> => {
    while (registering) {
      const atLeast = acknowledged;
      const { body } = await here!.post('/api/v1/webhooks/events', { type: 'a.b', data: {} });
      if (body.deliveries < atLeast) missed.push(`${body.deliveries} of ${atLeast}`);
    }
  };
  const register = async (): Promise<void> => {
    for (let count = 0; count < 10; count += 1) {
      await there!.post('/api/v1/webhooks/endpoints', { url: `http://127.0.0.1:9/hook/${count}` });
      acknowledged += 1;
    }
    registering = false;
  };
  await Promise.all([pour(), pour(), pour(), register()]);

  expect(missed).toEqual([]);
  expect((await here!.post('/api/v1/webhooks/events', { type: 'a.b', data: {} })).body.deliveries).toBe(10);
});
