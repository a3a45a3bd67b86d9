import { buildCaller, type Caller } from '../support/build-caller';
import { buildReceiver } from '../support/build-receiver';
import { FAST_SWEEPERS, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { cliOf } from '../support/run-cli';

const stack = useStack({ env: { RETRY_SCHEDULE: '0s,1h' }, ...FAST_SWEEPERS });
const { json: everpost, expectRefused } = cliOf(stack);
const receiver = useFixture('file', buildReceiver, (it) => it.close());
let api: Caller;
let endpointId: string;

beforeAll(async () => {
  await stack.role.workerReady;
  api = await buildCaller(stack);
  endpointId = (await api.register({ url: receiver.url })).id;
});

async function retrying(): Promise<string> {
  receiver.answerWith(503);
  const id = `${(await api.ingest()).id}.${endpointId}`;
  await api.untilDelivery(id, 'retrying');
  return id;
}

it('delivery retry makes the next attempt and delivery replay sends again; both are in the audit log', async () => {
  const id = await retrying();
  receiver.answerWith(200);

  expect(await everpost('delivery', 'retry', '--id', id)).toMatchObject({ id, state: 'retrying', run: 1 });
  await api.untilDelivery(id, 'delivered');
  expect(await everpost('delivery', 'replay', '--id', id)).toMatchObject({ id, state: 'pending', run: 2 });
  await api.untilDelivery(id, 'delivered', 2);

  const entries = await stack.mongo.db.collection('audit_log').find({ object: id }).toArray();
  expect(entries.map(({ action, actor }) => ({ action, by: actor.type }))).toEqual([
    { action: 'delivery.retried', by: 'cli' },
    { action: 'delivery.replayed', by: 'cli' },
  ]);
});

it('delivery cancel ends a delivery, once', async () => {
  const id = await retrying();

  expect(await everpost('delivery', 'cancel', '--id', id)).toMatchObject({ id, state: 'cancelled' });

  await expectRefused('delivery_finished', 'delivery', 'cancel', '--id', id);
});

it('delivery create sends an event to one more endpoint: a worker finds what the command stored', async () => {
  receiver.answerWith(200);
  const other = await api.register({ url: receiver.url, events: ['nothing'] });
  const id = `${(await api.ingest()).id}.${other.id}`;

  expect(await everpost('delivery', 'create', '--id', id)).toMatchObject({ id, state: 'pending', run: 1 });

  await api.untilDelivery(id, 'delivered');
  await expectRefused('delivery_exists', 'delivery', 'create', '--id', id);
  await expectRefused('event_not_found', 'delivery', 'create', '--id', 'nonsense');
  const entries = await stack.mongo.db.collection('audit_log').find({ object: id }).toArray();
  expect(entries).toMatchObject([{ action: 'delivery.created', actor: { type: 'cli' } }]);
});

it.each(['retry', 'cancel', 'replay'])('delivery %s says that an unknown delivery does not exist', async (name) => {
  for (const id of ['nonsense', `9007199254740991.${endpointId}`]) {
    await expectRefused('delivery_not_found', 'delivery', name, '--id', id);
  }
});

it('replay recover, status, list and cancel', async () => {
  const id = await retrying();
  await everpost('delivery', 'retry', '--id', id);
  await api.untilDelivery(id, 'failed');
  receiver.answerWith(200);

  const args = ['--endpoint', endpointId, '--since', '2020-01-01T00:00:00Z', '--rate', '5'];
  const job = await everpost<{ job_id: string }>('replay', 'recover', ...args);
  const ended = await eventually(
    () => everpost('replay', 'status', '--id', job.job_id),
    ({ state }) => state !== 'running',
  );

  expect(ended).toMatchObject({ account_id: api.accountId, state: 'completed', replayed: 1, rate_per_second: 5 });
  await api.untilDelivery(id, 'delivered', 2);
  expect(await everpost('replay', 'list', '--account', api.accountId)).toEqual([ended]);
  await expectRefused('replay_finished', 'replay', 'cancel', '--id', job.job_id);
});

it.each([
  [['--since', 'yesterday'], 'invalid_request'],
  [['--since', '1'], 'invalid_request'],
  // Of which clock?
  [['--since', '2026-11-21T06:00:00'], 'invalid_request'],
  [['--since', '9999-12-31T23:59:59-00:01'], 'invalid_request'],
  [['--since', '2020-01-01T00:00:00Z', '--until', 'tomorrow'], 'invalid_request'],
  [['--since', '2020-01-01T00:00:00Z', '--rate', '0'], 'invalid_request'],
  [['--since', '2020-01-01T00:00:00Z', '--endpoint', `ep_${'0'.repeat(26)}`], 'endpoint_not_found'],
])('replay recover %j is refused', async (args, code) => {
  const all = ['replay', 'recover', '--endpoint', endpointId, ...args];

  await expect(everpost(...all)).rejects.toMatchObject({ code });
});
