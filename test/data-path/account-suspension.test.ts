import { expectError } from '../support/api-client';
import { buildAccount } from '../support/build-stack';
import { ENDPOINTS, EVENTS, useEndpointTestbed } from '../support/build-endpoint-testbed';
import { insertEvents } from '../support/build-events';
import { useReceiver } from '../support/build-receiver';
import { cliOf } from '../support/run-cli';

// An account is suspended by the command line, while two API processes and a worker know its key and its endpoints.

const REPLAYS = '/api/v1/webhooks/replays';

const testbed = useEndpointTestbed('0s,1s,1h');
const receiver = useReceiver();
const cli = () => cliOf(testbed.path);

afterEach(() => cli().json('account', 'resume', '--id', testbed.accountId));

const suspend = () => cli().json('account', 'suspend', '--id', testbed.accountId);
const resume = () => cli().json('account', 'resume', '--id', testbed.accountId);

it('every process refuses the next call of a suspended account, and accepts calls again after the resume', async () => {
  const id = await testbed.register(receiver.url, { events: ['nothing'] });
  const calls = [testbed.here, testbed.there].flatMap((api) => [
    () => api.get('/api/v1/keys/self'),
    () => api.get(`${ENDPOINTS}/${id}`),
    () => api.post(EVENTS, { type: 'a', data: {} }),
    () => api.post(`${EVENTS}/batch`, { events: [{ type: 'a', data: {} }] }),
    () => api.post(`${ENDPOINTS}/${id}/test`),
  ]);
  for (const call of calls) expect((await call()).status).toBeLessThan(300);
  const used = async () => Number((await testbed.here.get('/api/v1/keys/self')).headers.get('X-Quota-Used'));
  const before = await used();

  expect(await suspend()).toMatchObject({ id: testbed.accountId, status: 'suspended' });

  for (const call of calls) {
    const answer = await call();
    expectError(answer, 403, 'account_suspended');
    expect(answer.headers.get('X-RateLimit-Limit')).not.toBeNull();
  }
  await resume();
  for (const call of calls) expect((await call()).status).toBeLessThan(300);
  // What was refused is not counted.
  expect((await used()) - before).toBe(calls.length + 1);
});

it('pending deliveries are held, and continue after the resume', async () => {
  receiver.answerWith(500);
  const endpointId = await testbed.register(receiver.url, { events: ['order.held'] });
  const ref = await testbed.send(endpointId, { type: 'order.held' });
  await testbed.untilState(ref, 'retrying', 1);

  await suspend();
  const held = await testbed.untilHeld(ref);
  expect(held).toMatchObject({ held_for: 'suspended', attempt_count: 1 });
  // The next attempt is made early in Temporal, or the sweeper looks at the gate: nothing is sent.
  const sent = receiver.requests.length;
  testbed.path.parts.gate.look(endpointId);
  await testbed.path.parts.gate.close();
  expect(receiver.requests).toHaveLength(sent);

  receiver.answerWith(200);
  await resume();
  await testbed.untilState(ref, 'delivered', 2);
});

it("a suspension doesn't change the status of endpoints", async () => {
  const [paused, active] = [await testbed.register(receiver.url), await testbed.register(receiver.url)];
  await testbed.act('POST', paused, '/pause');

  await suspend();
  await resume();

  const statuses = await Promise.all([paused, active].map((id) => testbed.here.get(`${ENDPOINTS}/${id}`)));
  expect(statuses.map(({ body }) => body.status)).toEqual(['paused', 'active']);
});

it('a bulk replay is cancelled, and starts nothing more after the resume', async () => {
  receiver.answerWith(200);
  const endpointId = await testbed.register(receiver.url, { events: ['nothing'] });
  const count = 50;
  const specs = Array.from({ length: count }, (_, index) => ({
    id: 8_000_000 + index,
    accountId: testbed.accountId,
    deliveries: [{ endpointId, state: 'failed' as const }],
  }));
  await insertEvents(testbed.path.mongo, specs);
  const filter = { state: 'failed', endpoint_id: endpointId };
  const { body: job } = await testbed.here.post(REPLAYS, { filter, rate_per_second: 1 });

  await suspend();
  await resume();

  const { body: ended } = await testbed.here.get(`${REPLAYS}/${job.job_id}`);
  expect(ended).toMatchObject({ state: 'cancelled' });
  expect(ended.replayed).toBeLessThan(count);
});

it('"retry now" for a suspended account says why it is refused, on the command line too', async () => {
  receiver.answerWith(500);
  const endpointId = await testbed.register(receiver.url, { events: ['order.retry'] });
  const ref = await testbed.send(endpointId, { type: 'order.retry' });
  await testbed.untilState(ref, 'retrying', 2);

  await suspend();

  const { expectRefused } = cli();
  await expectRefused('endpoint_not_active', 'delivery', 'retry', '--id', `${ref.eventId}.${endpointId}`);
});

it("the time of a suspension doesn't count towards disabling an endpoint", async () => {
  const id = await testbed.register(receiver.url);
  await testbed.path.endpoints.updateOne({ _id: id }, { $set: { failing_since: new Date(0) } });

  await suspend();
  await resume();

  expect((await testbed.path.parts.stores.endpoints.find(id))!.failing_since).toBeUndefined();
});

it('a second suspension changes nothing; suspension and resume are in the audit log', async () => {
  const { accountId } = await buildAccount(testbed.path.config, testbed.path.mongo);
  const { json, expectRefused } = cli();
  await json('account', 'resume', '--id', accountId);
  await json('account', 'suspend', '--id', accountId);
  await json('account', 'suspend', '--id', accountId);
  await json('account', 'resume', '--id', accountId);

  const entries = testbed.path.mongo.db
    .collection('audit_log')
    .find({ account_id: accountId, action: /^account\.(suspended|resumed)$/ })
    .sort({ at: 1 });
  const actions = (await entries.toArray()).map(({ action, actor }) => [action, actor.type]);
  expect(actions).toEqual([
    ['account.suspended', 'cli'],
    ['account.resumed', 'cli'],
  ]);
  await expectRefused('account_not_found', 'account', 'suspend', '--id', 'acc_nobody');
  await expectRefused('account_not_found', 'account', 'resume', '--id', 'acc_nobody');
});

it('the cost estimator refuses a key of the account too', async () => {
  const { accountId, key } = await buildAccount(testbed.path.config, testbed.path.mongo);
  await cli().json('account', 'suspend', '--id', accountId);
  expectError(await testbed.here.get('/api/cost-estimator', { 'x-api-key': key }), 403, 'account_suspended');
});
