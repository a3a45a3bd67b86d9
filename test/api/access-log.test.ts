import { apiClient } from '../support/api-client';
import { buildLoggedRole } from '../support/build-api';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

const stack = useStack({ role: 'api' });
const api = useFixture(
  'file',
  () => {
    const limits = { ...stack.config.limits, trustedProxies: ['127.0.0.0/8'] };
    return buildLoggedRole({ ...stack.config, limits }, 'api');
  },
  (it) => it.close(),
);

const EVENTS = '/api/v1/webhooks/events';
const INFO = 30;
const DEBUG = 20;

/** The access line of a call, by the id in its answer. */
async function lineOf({ headers }: { readonly headers: Headers }): Promise<Record<string, unknown>> {
  const id = headers.get('X-Request-Id')!;
  const log = await eventually(api.log, (text) => text.includes(id));
  const lines = log.split('\n').filter((line) => line.includes(id) && line.includes('"msg":"request"'));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!) as Record<string, unknown>;
}

it('a line says who called, from where, and which event it was', async () => {
  const { key, keyId, accountId } = await stack.account();
  const client = apiClient(api.url, key);
  const from = { 'X-Forwarded-For': '198.51.100.7' };

  const sent = await client.call('POST', EVENTS, { type: 'a', data: {} }, from);
  const batch = await client.post(`${EVENTS}/batch`, { events: [1, 2].map(() => ({ type: 'a', data: {} })) });
  const read = await client.get(`${EVENTS}/${sent.body.id}`);

  const caller = { account_id: accountId, key_id: keyId };
  expect(await lineOf(sent)).toMatchObject({
    ...caller,
    client: '198.51.100.7',
    event_id: String(sent.body.id),
    route: EVENTS,
    level: INFO,
    host: expect.any(String),
    pid: process.pid,
    version: expect.stringMatching(/^\d+\.\d+/),
  });
  const ids = batch.body.results.map(({ id }: { id: number }) => id);
  expect(await lineOf(batch)).toMatchObject({ ...caller, client: '127.0.0.1', event_ids: ids.join(',') });
  expect(await lineOf(read)).toMatchObject({ ...caller, event_id: String(sent.body.id) });
});

it('an id that a client made up is not in the line', async () => {
  const { key } = await stack.account();
  const made = await apiClient(api.url, key).get('/api/v1/webhooks/endpoints/my-password');

  expect(made.status).toBe(404);
  expect(await lineOf(made)).toMatchObject({ code: 'endpoint_not_found' });
  expect(api.log()).not.toContain('my-password');
});

it('probes are lines at debug, with a route of their own in the metrics', async () => {
  const probes = await Promise.all(['/healthz', '/readyz'].map((path) => apiClient(api.url).get(path)));
  const nothing = await apiClient(api.url).get('/nothing');

  expect((await Promise.all(probes.map(lineOf))).map(({ route, level }) => [route, level])).toEqual([
    ['/healthz', DEBUG],
    ['/readyz', DEBUG],
  ]);
  expect(await lineOf(nothing)).toMatchObject({ route: 'unmatched', level: INFO });
  const metrics = await (await fetch(api.role.metricsUrl!)).text();
  expect(metrics).toMatch(/http_server_request_duration_seconds_count\{.*route="\/readyz".*\} \d+/);
});
