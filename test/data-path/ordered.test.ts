import { CANCEL_SIGNAL } from '../../src/domain/delivery-contract';
import {
  buildAttempt,
  holdAnswers,
  ownType,
  receivedIds,
  useDataPath,
  type Promised,
} from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// `ordered`: one delivery at a time, in the order in which the events were accepted. The endpoint's gate releases the
// head of the line, which blocks the line until its delivery ends in any way.

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

/** Has the line go, as the process does that accepts an event. */
function begin(of = endpointId): void {
  path.parts.gate.look(of);
}

it('deliveries arrive one at a time, in the order of their events, after one look at the gate', async () => {
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
  expect(await path.destination(promised[0]!.ref)).toMatchObject({ dispatch: 'held', held_for: 'in_line' });

  begin();
  await receiver.waitFor(12);

  expect(receivedIds(receiver)).toEqual(promised.map(({ id }) => id));
  expect(most).toBe(1);
});

it('deliveries that started before the endpoint became ordered wait in its line too', async () => {
  const own = ownType();
  const late = await path.endpoint(receiver.url, own);
  const promised = [await path.promise(own), await path.promise(own), await path.promise(own)];
  await path.endpoints.updateOne({ _id: late }, { $set: { options: { ordered: true } } });

  for (const { starts } of promised.toReversed()) await path.parts.executions.start(starts[0]!);
  for (const { ref } of promised) await path.lookUntil(ref, 'delivered');

  expect(receivedIds(receiver)).toEqual(promised.map(({ id }) => id));
});

it('a failing head blocks the line until its last attempt failed, then the next one goes', async () => {
  const promised = await promiseEvents(3);
  const [head] = promised;
  receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head!.id) ? 500 : 200));

  begin();
  await path.untilState(promised[2]!.ref, 'delivered');

  const ids = promised.map(({ id }) => id);
  expect(receivedIds(receiver)).toEqual([ids[0], ids[0], ids[1], ids[2]]);
  expect((await path.destination(head!.ref)).state).toBe('failed');
});

it("a delivery that isn't first in line is held, without a request or a claim", async () => {
  const [, second] = await promiseEvents(2);

  expect(await path.executor().attemptDelivery(buildAttempt(second!.ref))).toEqual({ kind: 'held', reason: 'in_line' });

  expect(receiver.requests).toHaveLength(0);
  expect(await path.attempts.countDocuments({ event_id: second!.id })).toBe(0);
});

it('cancelling the head releases the next one, after the request under way has ended', async () => {
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

describe('a head that waits for its next attempt', () => {
  /** Two deliveries of an endpoint whose head has failed once, and waits for an hour. */
  async function headThatWaits(): Promise<[Promised, Promised]> {
    const patient = ownType();
    const of = await path.endpoint(receiver.url, patient, { ordered: true, retry_schedule: [0, 3_600] });
    const [head, next] = [await path.promise(patient), await path.promise(patient)];
    receiver.answerWith(({ headers }) => (headers['x-webhook-id'] === String(head.id) ? 500 : 200));
    begin(of);
    await path.untilState(head.ref, 'retrying');
    await eventually(
      () => path.destination(head.ref),
      ({ dispatch }) => dispatch === 'done',
    );
    expect(receivedIds(receiver)).toEqual([head.id]);
    return [head, next];
  }

  it('releases the next one when it is cancelled', async () => {
    const [head, next] = await headThatWaits();

    await path.parts.stores.deliveries.cancel(head.ref);
    await path.handleOf(head.ref).signal(CANCEL_SIGNAL);

    await path.untilState(next.ref, 'delivered');
    expect(receivedIds(receiver)).toEqual([head.id, next.id]);
  });

  it('releases the next one when it is cancelled in the Web UI', async () => {
    const [head, next] = await headThatWaits();

    await path.handleOf(head.ref).cancel();

    await path.untilState(next.ref, 'delivered');
    expect((await path.destination(head.ref)).state).toBe('cancelled');
  });
});

it('when a worker dies after a delivery ended and before it releases the next one, a sweep releases it', async () => {
  const [head, next] = await promiseEvents(2);
  const dying = path.executor({ gate: { look: () => undefined, attemptEnded: () => undefined } });
  await dying.attemptDelivery(buildAttempt(head!.ref));

  await path.sweep();

  await path.untilState(next!.ref, 'delivered');
  expect(receivedIds(receiver)).toEqual([head!.id, next!.id]);
});

it('a replay skips the line: it waits for no delivery, and none waits for it', async () => {
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

it('a pause stops the whole line, and a resume continues it in order', async () => {
  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'paused' } });
  const promised = await promiseEvents(4);
  // The gate is closed for an execution that is there already, too.
  await path.parts.executions.start(promised[0]!.starts[0]!);
  expect(await path.handleOf(promised[0]!.ref).result()).toMatchObject({ state: 'held', reason: 'paused' });
  expect(receiver.requests).toHaveLength(0);

  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'active' } });

  await path.lookUntil(promised[3]!.ref, 'delivered');
  expect(receivedIds(receiver)).toEqual(promised.map(({ id }) => id));
});

it('deleting an endpoint leaves no delivery waiting in its line', async () => {
  const answer = holdAnswers(receiver, 500);
  const promised = await promiseEvents(3);
  begin();
  await receiver.waitFor(1);

  await path.endpoints.deleteOne({ _id: endpointId });
  answer();

  for (const { ref } of promised) await path.lookUntil(ref, 'cancelled');
  expect(await path.handleOf(promised[0]!.ref).result()).toMatchObject({ state: 'cancelled' });
});

it('an older event that appears during a request waits for it: one at a time, whatever the order', async () => {
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
  expect(await path.parts.stores.order.firstInLine({ accountId: path.accountId, endpointId })).toEqual({
    ...promised[0]!.ref,
    waitMs: 0,
  });
});
