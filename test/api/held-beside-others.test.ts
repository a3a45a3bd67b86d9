import { newId } from '../../src/platform/ids';
import type { Endpoint } from '../../src/stores/endpoint-store';
import type { StoredEvent } from '../../src/stores/event-store';
import { buildCaller, useCaller } from '../support/build-caller';
import { buildEndpointId } from '../support/build-events';
import { buildReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { cliOf } from '../support/run-cli';

// Deliveries that wait for closed gates delay no other account, however many events and endpoints they are, and however
// many destinations an event has.

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const FAN_OUT = 40;
const PAUSED = 5_000;

const stack = useStack();
const api = useCaller(stack);
const receiver = useFixture('file', buildReceiver, (it) => it.close());

/** An account whose endpoints are paused, with one event that waits for all of them. */
async function pauseFanOut(): Promise<{ id: number; accountId: string }> {
  const others = await buildCaller(stack);
  for (let count = 0; count < FAN_OUT; count += 1) {
    await others.register({ url: receiver.url, events: ['*'], enabled: false });
  }
  return { id: (await others.ingest()).id, accountId: others.accountId };
}

/** Copies of a paused endpoint with one held event each, which the API would need an hour for. */
async function pauseThousands(like: { id: number; accountId: string }): Promise<void> {
  const endpoints = stack.mongo.db.collection<Endpoint>('endpoints');
  const events = stack.mongo.db.collection<StoredEvent>('events');
  const endpoint = (await endpoints.findOne({ account_id: like.accountId }))!;
  const event = (await events.findOne({ _id: like.id }))!;
  const [destination] = event.destinations;
  const ids = Array.from({ length: PAUSED }, buildEndpointId);
  await endpoints.insertMany(ids.map((_id) => ({ ...endpoint, _id, account_id: newId('acc') })));
  await events.insertMany(
    ids.map((endpointId, index) => ({
      ...event,
      _id: index + 1,
      account_id: newId('acc'),
      destinations: [{ ...destination!, endpoint_id: endpointId }],
      unfinished: 1,
    })),
  );
}

beforeAll(async () => pauseThousands(await pauseFanOut()));

it('resumed endpoints send what they held, and keep a slow rate', async () => {
  const rated = { url: receiver.url, events: ['rated'], options: { max_per_second: 0.5 } };
  await api.register(rated);
  const paused = await Promise.all(
    Array.from({ length: 8 }, (_, at) => api.register({ url: receiver.url, events: [`paused.${at}`], enabled: false })),
  );
  const held = await Promise.all(paused.map((_, at) => api.ingest({ type: `paused.${at}` })));
  const turns = await Promise.all(Array.from({ length: 4 }, () => api.ingest({ type: 'rated' })));

  for (const { id } of paused) await api.post(`${ENDPOINTS}/${id}/resume`);

  const ended = await Promise.all([...held, ...turns].map(({ id }) => api.untilEvent(id, 'delivered')));
  expect(ended).toHaveLength(12);
});

it('a resume of the account by command sends what its endpoints held', async () => {
  const cli = cliOf(stack);
  const own = await buildCaller(stack);
  await own.register({ url: receiver.url, events: ['slow'], options: { max_per_second: 0.5 } });
  const events = await Promise.all(Array.from({ length: 3 }, () => own.ingest({ type: 'slow' })));
  await cli.json('account', 'suspend', '--id', own.accountId);

  await cli.json('account', 'resume', '--id', own.accountId);

  const ended = await Promise.all(events.map(({ id }) => own.untilEvent(id, 'delivered')));
  expect(ended.every(({ status }) => status === 200)).toBe(true);
});
