import {
  buildAttempt,
  holdAnswers,
  ownType,
  receivedIds,
  useDataPath,
  type Promised,
} from '../support/build-data-path';
import { untilHeld } from '../support/build-endpoint-stage';
import { useReceiver } from '../support/build-receiver';

// `ordered`: one delivery at a time, in the order in which the events were accepted. The head of the line holds it until
// its delivery ends, whatever the end.

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,100ms' } });
const receiver = useReceiver();
let type: string;
let endpointId: string;

beforeAll(() => path.worker());

beforeEach(async () => {
  type = ownType();
  endpointId = await path.endpoint(receiver.url, type, { ordered: true });
});

async function promiseEvents(count: number): Promise<Promised[]> {
  const promised: Promised[] = [];
  for (let index = 0; index < count; index += 1) promised.push(await path.promise(type));
  return promised;
}

/** Starts deliveries, the last one first. */
async function startBackwards(promised: readonly Promised[]): Promise<void> {
  for (const { starts } of promised.toReversed()) await path.parts.starter.start(starts[0]!);
}

it('deliveries that are started in any order arrive one at a time, in the order of their events', async () => {
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
  await receiver.waitFor(12);

  expect(receivedIds(receiver)).toEqual(promised.map(({ id }) => id));
  expect(most).toBe(1);
});

it('a head that fails holds the line until its last attempt failed; then the line goes on', async () => {
  const promised = await promiseEvents(3);
  const [head] = promised;
  receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head!.id) ? 500 : 200));

  await startBackwards(promised);
  await path.untilState(promised[2]!.ref, 'delivered');

  const ids = promised.map(({ id }) => id);
  expect(receivedIds(receiver)).toEqual([ids[0], ids[0], ids[1], ids[2]]);
  expect((await path.destination(head!.ref)).state).toBe('failed');
});

it("a delivery that isn't first in line is held, and neither sends nor leaves a claim", async () => {
  const [, second] = await promiseEvents(2);

  expect(await path.executor().attemptDelivery(buildAttempt(second!.ref))).toEqual({ kind: 'held', reason: 'in_line' });

  expect(receiver.requests).toHaveLength(0);
  expect(await path.attempts.countDocuments({ event_id: second!.id })).toBe(0);
});

it('cancelling the head lets the next one, but not before the request that is under way is over', async () => {
  const answer = holdAnswers(receiver, 500, 1);
  const [head, next] = await promiseEvents(2);
  const worker = path.executor();
  const underWay = worker.attemptDelivery(buildAttempt(head!.ref));
  await receiver.waitFor(1);

  await path.parts.stores.deliveries.cancel(head!.ref);
  expect(await worker.attemptDelivery(buildAttempt(next!.ref))).toEqual({ kind: 'held', reason: 'in_line' });
  answer();
  await underWay;

  expect(await worker.attemptDelivery(buildAttempt(next!.ref))).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(receivedIds(receiver)).toEqual([head!.id, next!.id]);
});

describe('through the workflows', () => {
  /** Two deliveries of an endpoint whose head has failed once, and waits for an hour. */
  async function headThatWaits(): Promise<[Promised, Promised]> {
    const patient = ownType();
    await path.endpoint(receiver.url, patient, { ordered: true, retry_schedule: [0, 3_600] });
    const [head, next] = [await path.promise(patient), await path.promise(patient)];
    receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head.id) ? 500 : 200));
    await startBackwards([head, next]);
    await path.untilState(head.ref, 'retrying');
    expect(receivedIds(receiver)).toEqual([head.id]);
    return [head, next];
  }

  it('a cancelled head wakes the next one', async () => {
    const [head, next] = await headThatWaits();

    await path.parts.stores.deliveries.cancel(head.ref);
    await path.parts.attempts.deps.signals.cancel(head.ref);

    await path.untilState(next.ref, 'delivered');
    expect(receivedIds(receiver)).toEqual([head.id, next.id]);
  });

  it('a head that somebody cancels in the Web UI wakes the next one', async () => {
    const [head, next] = await headThatWaits();

    await path.handleOf(head.ref).cancel();

    await path.untilState(next.ref, 'delivered');
    expect((await path.destination(head.ref)).state).toBe('cancelled');
  });
});

it('a worker that dies between the end of a delivery and the signal to the next one: the attempt is run again and wakes it', async () => {
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

it('a replay stands in no line: it waits for nobody, and nobody waits for it', async () => {
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

it('while the endpoint is paused the whole line waits; resumed, it goes on in order', async () => {
  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'paused' } });
  const promised = await promiseEvents(4);
  await startBackwards(promised);
  await untilHeld(path.handleOf(promised[0]!.ref));
  expect(receiver.requests).toHaveLength(0);

  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'active' } });
  const { signals } = path.parts.attempts.deps;
  for (const { ref } of promised.toReversed()) await signals.wake(ref);

  await path.untilState(promised[3]!.ref, 'delivered');
  expect(receivedIds(receiver)).toEqual(promised.map(({ id }) => id));
});

it('when an endpoint is deleted, no delivery in its line is left waiting', async () => {
  receiver.answerWith(500);
  const promised = await promiseEvents(3);
  await startBackwards(promised);
  await receiver.waitFor(1);

  await path.endpoints.deleteOne({ _id: endpointId });
  await path.parts.stores.deliveries.cancelAllOf({ accountId: path.accountId, endpointId });
  const { signals } = path.parts.attempts.deps;
  for (const { ref } of promised) await signals.cancel(ref);

  for (const { ref } of promised) {
    expect(await path.handleOf(ref).result()).toMatchObject({ state: 'cancelled' });
  }
});

it('an event that appears before the one under way waits for it: one at a time, whatever the order', async () => {
  // Two events that are accepted at the same moment: the earlier one may become visible after the later one.
  const answer = holdAnswers(receiver, 200, 1);
  const [earlier, later] = await promiseEvents(2);
  const hidden = (await path.events.findOneAndDelete({ _id: earlier!.id }))!;
  const worker = path.executor();
  const underWay = worker.attemptDelivery(buildAttempt(later!.ref));
  await receiver.waitFor(1);
  await path.events.insertOne(hidden);

  expect(await worker.attemptDelivery(buildAttempt(earlier!.ref))).toEqual({ kind: 'held', reason: 'in_line' });
  answer();
  await underWay;
  expect(await worker.attemptDelivery(buildAttempt(earlier!.ref))).toMatchObject({ kind: 'answered' });
});

it('the first in line is found by an index', async () => {
  const promised = await promiseEvents(3);
  const plan = await path.events
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
