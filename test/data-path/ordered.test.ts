import type { DeliveryRef } from '../../src/domain/delivery-contract';
import type { Endpoint } from '../../src/endpoints/store';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath, type Promised } from '../support/build-data-path';

// `ordered`: one delivery at a time, in the order in which the events were accepted. The head of the line holds it until
// its delivery ends, whatever the end.

let path: DataPath;
let receiver: Receiver;
let type: string;
let endpointId: string;

beforeAll(async () => {
  path = await buildDataPath({ env: { RETRY_SCHEDULE: '0s,100ms' } });
  await path.worker();
}, 60_000);

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
  type = `ordered.t${Math.random().toString(36).slice(2)}`;
  endpointId = await path.endpoint(receiver.url, type, { ordered: true });
});

afterEach(() => receiver.close());

async function promiseEvents(count: number): Promise<Promised[]> {
  const promised: Promised[] = [];
  for (let index = 0; index < count; index += 1) promised.push(await path.promise(type));
  return promised;
}

/** Starts deliveries, the last one first. */
async function startBackwards(promised: readonly Promised[]): Promise<void> {
  for (const { starts } of promised.toReversed()) await path.parts.starter.start(starts[0]!);
}

function received(): number[] {
  return receiver.requests.map(({ headers }) => Number(headers['x-webhook-id']));
}

async function untilState(ref: Omit<DeliveryRef, 'run'>, state: string): Promise<void> {
  await eventually(
    () => path.destination(ref),
    (destination) => destination.state === state,
    30_000,
  );
}

function endpoints() {
  return path.mongo.db.collection<Endpoint>('endpoints');
}

test('deliveries that are started in any order arrive one at a time, in the order of their events', async () => {
  let underWay = 0;
  let most = 0;
  receiver.answerWith(async (_request, count) => {
    underWay += 1;
    most = Math.max(most, underWay);
    // The first ones take the longest: without a line the later ones would overtake.
    for (let turn = 0; turn < 200 - count * 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return 200;
  });
  const promised = await promiseEvents(12);

  await startBackwards(promised);
  await receiver.waitFor(12, 60_000);

  expect(received()).toEqual(promised.map(({ id }) => id));
  expect(most).toBe(1);
}, 90_000);

test('a head that fails holds the line until its last attempt failed; then the line goes on', async () => {
  const promised = await promiseEvents(3);
  const [head] = promised;
  receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head!.id) ? 500 : 200));

  await startBackwards(promised);
  await untilState(promised[2]!.ref, 'delivered');

  const ids = promised.map(({ id }) => id);
  expect(received()).toEqual([ids[0], ids[0], ids[1], ids[2]]);
  expect((await path.destination(head!.ref)).state).toBe('failed');
}, 60_000);

test('who is not first is held, and neither sends nor leaves a claim', async () => {
  const [, second] = await promiseEvents(2);

  expect(await path.executor().attemptDelivery(buildAttempt(second!.ref))).toEqual({ kind: 'held', reason: 'in_line' });

  expect(receiver.requests).toHaveLength(0);
  expect(await path.mongo.db.collection('attempts').countDocuments({ event_id: second!.id })).toBe(0);
});

test('cancelling the head lets the next one, but not before the request that is under way is over', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  receiver.answerWith((_request, count) => (count === 1 ? answered.then(() => 500) : 200));
  const [head, next] = await promiseEvents(2);
  const worker = path.executor();
  const underWay = worker.attemptDelivery(buildAttempt(head!.ref));
  await receiver.waitFor(1);

  await path.parts.stores.deliveries.cancel(head!.ref);
  expect(await worker.attemptDelivery(buildAttempt(next!.ref))).toEqual({ kind: 'held', reason: 'in_line' });
  answer();
  await underWay;

  expect(await worker.attemptDelivery(buildAttempt(next!.ref))).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(received()).toEqual([head!.id, next!.id]);
});

test('through the workflows: a cancelled head wakes the next one', async () => {
  receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head.id) ? 500 : 200));
  const patient = await path.endpoint(receiver.url, `${type}.patient`, { ordered: true, retry_schedule: [0, 3_600] });
  const [head, next] = [await path.promise(`${type}.patient`), await path.promise(`${type}.patient`)];
  await startBackwards([head, next]);
  await untilState({ eventId: head.id, endpointId: patient }, 'retrying');
  expect(received()).toEqual([head.id]);

  await path.parts.stores.deliveries.cancel(head.ref);
  await path.parts.attempt().signals.cancel(head.ref);

  await untilState(next.ref, 'delivered');
  expect(received()).toEqual([head.id, next.id]);
}, 60_000);

test('through the workflows: a head that somebody cancels in the Web UI wakes the next one', async () => {
  receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head.id) ? 500 : 200));
  await path.endpoint(receiver.url, `${type}.ui`, { ordered: true, retry_schedule: [0, 3_600] });
  const [head, next] = [await path.promise(`${type}.ui`), await path.promise(`${type}.ui`)];
  await startBackwards([head, next]);
  await untilState(head.ref, 'retrying');

  await path.temporal.client()!.workflow.getHandle(`delivery/${head.id}/${head.ref.endpointId}`).cancel();

  await untilState(next.ref, 'delivered');
  expect((await path.destination(head.ref)).state).toBe('cancelled');
}, 60_000);

test('a worker that dies between the end of a delivery and the signal to the next one: the attempt is run again and wakes it', async () => {
  const [head] = await promiseEvents(2);
  const attempt = buildAttempt(head!.ref);
  const dying = path.executor({ wakeNext: () => Promise.reject(new Error('killed')) });
  await expect(dying.attemptDelivery(attempt)).rejects.toThrow('killed');
  expect((await path.destination(head!.ref)).state).toBe('delivered');

  const woken: string[] = [];
  const heir = path.executor({ wakeNext: async (endpoint) => void woken.push(endpoint.endpointId) });
  expect(await heir.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200 });

  expect(woken).toEqual([endpointId]);
  expect(receiver.requests).toHaveLength(1);
});

test('an answer that is written down later wakes the next one then', async () => {
  const [head] = await promiseEvents(2);
  const woken: string[] = [];
  const wakeNext = async (endpoint: { endpointId: string }) => void woken.push(endpoint.endpointId);
  const { deliveries } = path.parts.stores;
  const away = { ...deliveries, record: () => Promise.reject(new Error('MongoDB is away')) };
  const outcome = await path.executor({ deliveries: away, wakeNext }).attemptDelivery(buildAttempt(head!.ref));
  if (outcome.kind !== 'answered') throw new Error(`not answered: ${outcome.kind}`);
  expect(woken).toEqual([]);

  await path.executor({ wakeNext }).recordAttempt(buildAttempt(head!.ref), outcome);

  expect(woken).toEqual([endpointId]);
});

test('a replay stands in no line: neither does it wait, nor does anybody wait for it', async () => {
  const [replayed, head, next] = await promiseEvents(3);
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(replayed!.ref));
  const again = (await path.parts.stores.deliveries.replay(replayed!.ref))!;

  // The replay's event is the earliest, and is unfinished again.
  expect(await worker.attemptDelivery(buildAttempt(head!.ref, { nextDelayMs: 60_000 }))).toMatchObject({
    kind: 'answered',
  });
  receiver.answerWith(500);
  expect(await worker.attemptDelivery(buildAttempt(next!.ref))).toMatchObject({ kind: 'answered', succeeded: false });
  receiver.answerWith(200);
  expect(await worker.attemptDelivery(buildAttempt(again))).toMatchObject({ kind: 'answered', succeeded: true });
});

test('while the endpoint is paused the whole line waits; resumed, it goes on in order', async () => {
  await endpoints().updateOne({ _id: endpointId }, { $set: { status: 'paused' } });
  const promised = await promiseEvents(4);
  await startBackwards(promised);
  await eventually(
    async () => path.temporal.client()!.workflow.getHandle(`delivery/${promised[0]!.id}/${endpointId}`).fetchHistory(),
    ({ events }) => (events ?? []).some(({ timerStartedEventAttributes: timer }) => timer),
  );
  expect(receiver.requests).toHaveLength(0);

  await endpoints().updateOne({ _id: endpointId }, { $set: { status: 'active' } });
  const { signals } = path.parts.attempt();
  for (const { ref } of promised.toReversed()) await signals.wake(ref);

  await untilState(promised[3]!.ref, 'delivered');
  expect(received()).toEqual(promised.map(({ id }) => id));
}, 60_000);

test('an endpoint that is deleted takes its line with it: nobody is left waiting', async () => {
  receiver.answerWith(500);
  const promised = await promiseEvents(3);
  await startBackwards(promised);
  await receiver.waitFor(1);

  await endpoints().deleteOne({ _id: endpointId });
  await path.parts.stores.deliveries.cancelAllOf({ accountId: path.accountId, endpointId });
  const { signals } = path.parts.attempt();
  for (const { ref } of promised) await signals.cancel(ref);

  for (const { ref } of promised) {
    const handle = path.temporal.client()!.workflow.getHandle(`delivery/${ref.eventId}/${endpointId}`);
    expect(await handle.result()).toMatchObject({ state: 'cancelled' });
  }
}, 60_000);

test('an event that appears before the one under way waits for it: one at a time, whatever the order', async () => {
  // Two events that are accepted at the same moment: the earlier one may become visible after the later one.
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  receiver.answerWith((_request, count) => (count === 1 ? answered.then(() => 200) : 200));
  const [earlier, later] = await promiseEvents(2);
  const events = path.mongo.db.collection<{ _id: number }>('events');
  const hidden = (await events.findOneAndDelete({ _id: earlier!.id }))!;
  const worker = path.executor();
  const underWay = worker.attemptDelivery(buildAttempt(later!.ref));
  await receiver.waitFor(1);
  await events.insertOne(hidden);

  expect(await worker.attemptDelivery(buildAttempt(earlier!.ref))).toEqual({ kind: 'held', reason: 'in_line' });
  answer();
  await underWay;
  expect(await worker.attemptDelivery(buildAttempt(earlier!.ref))).toMatchObject({ kind: 'answered' });
});

test('the question who is first is answered from an index', async () => {
  const promised = await promiseEvents(3);
  const plan = await path.mongo.db
    .collection('events')
    .find({
      account_id: path.accountId,
      destinations: { $elemMatch: { endpoint_id: endpointId, run: 1, state: { $in: ['pending', 'retrying'] } } },
    })
    .sort({ accepted_at: 1, _id: 1 })
    .limit(1)
    .explain('executionStats');

  const stats = plan['executionStats'] as { totalDocsExamined: number };
  expect(stats.totalDocsExamined).toBeLessThanOrEqual(2);
  expect(JSON.stringify(plan['queryPlanner'])).not.toContain('COLLSCAN');
  expect(await path.parts.stores.order.firstInLine({ accountId: path.accountId, endpointId })).toEqual(
    promised[0]!.ref,
  );
});
