import type { AttemptInput } from '../../src/domain/delivery-contract';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, holdAnswers, useDataPath } from '../support/build-data-path';

// Rule 1: claim before POST. A recorded answer is returned, never re-sent.
// Leases are in test/time/claim-leases.test.ts.

const path = useDataPath();
const receiver = useReceiver();

async function promisedAttempt(): Promise<AttemptInput> {
  return buildAttempt((await path.promiseTo(receiver.url)).ref);
}

it('two workers that make the same attempt at once send one request and get the same answer', async () => {
  const answer = holdAnswers(receiver, 503);
  const attempt = await promisedAttempt();
  const [first, second] = [path.executor(), path.executor()];

  const outcomes = [first.attemptDelivery(attempt), second.attemptDelivery(attempt)];
  await receiver.waitFor(1);
  // The other one finds the claim, and would send if it could.
  await expect(Promise.race(outcomes)).rejects.toThrow('another process makes the attempt');
  answer();

  const both = await Promise.allSettled(outcomes);
  const [one] = both.flatMap((settled) => (settled.status === 'fulfilled' ? [settled.value] : []));
  // Temporal retries it to get the answer.
  expect(await second.attemptDelivery(attempt)).toEqual(one);
  expect(await first.attemptDelivery(attempt)).toEqual(one);
  expect(one).toMatchObject({ kind: 'answered', number: 1, statusCode: 503 });
  expect(receiver.requests).toHaveLength(1);
});

it('many executions of one attempt in many workers send one request', async () => {
  receiver.answerWith(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 200;
  });
  const attempt = await promisedAttempt();
  const workers = Array.from({ length: 5 }, () => path.executor());

  const outcomes = await eventually(
    () => Promise.allSettled(Array.from({ length: 25 }, (_, index) => workers[index % 5]!.attemptDelivery(attempt))),
    (all) => all.every(({ status }) => status === 'fulfilled'),
  );

  expect(receiver.requests).toHaveLength(1);
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  expect(outcomes[0]).toMatchObject({ value: { kind: 'answered', statusCode: 200 } });
});

it('a second execution in the same process joins the first, as when a signal re-runs an inline attempt', async () => {
  const attempt = await promisedAttempt();
  const worker = path.executor();

  const outcomes = await Promise.all([worker.attemptDelivery(attempt), worker.attemptDelivery(attempt)]);

  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(receiver.requests).toHaveLength(1);
});

it('a recorded answer is returned without another request, as when Temporal lost its last second', async () => {
  receiver.answerWith(500);
  const attempt = await promisedAttempt();
  const worker = path.executor();
  const before = await worker.attemptDelivery(attempt);

  receiver.answerWith(200);
  const again = await Promise.all([worker.attemptDelivery(attempt), path.executor().attemptDelivery(attempt)]);

  expect(again).toEqual([before, before]);
  expect(receiver.requests).toHaveLength(1);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

it('a process remembers the answer that it recorded, so the execution that comes for it reads nothing', async () => {
  receiver.answerWith(500);
  const attempt = await promisedAttempt();
  const { deliveries } = path.parts.stores;
  const claim = jest.fn(deliveries.claim);
  const worker = path.executor({ deliveries: { ...deliveries, claim } });

  const before = await worker.attemptDelivery(attempt);

  expect(await worker.attemptDelivery(attempt)).toEqual(before);
  expect(claim).toHaveBeenCalledTimes(1);
  expect(receiver.requests).toHaveLength(1);
});

it('the next execution updates a delivery whose answer is in the history but not in its state', async () => {
  const attempt = await promisedAttempt();
  await path.executor().attemptDelivery(attempt);
  // What a crash between the two writes leaves behind.
  await path.events.updateOne(
    { _id: attempt.eventId },
    { $set: { 'destinations.0.state': 'pending', 'destinations.0.attempt_count': 0 } },
  );

  expect(await path.executor().attemptDelivery(attempt)).toMatchObject({ kind: 'answered', succeeded: true });

  expect(receiver.requests).toHaveLength(1);
  expect(await path.destination(attempt)).toMatchObject({ state: 'delivered', attempt_count: 1 });
});

it.each([
  { claim: 'in the event', isNew: true },
  { claim: 'in the attempt', isNew: false },
])("a worker whose claim $claim has ended doesn't change the answer that another recorded", async ({ isNew }) => {
  const attempt = await promisedAttempt();
  await path.executor().attemptDelivery(attempt);
  const { answer } = (await path.history(attempt.eventId))[0]!;

  const event = await path.event(attempt.eventId);
  const late = { ...answer, succeeded: false, status_code: 500 };
  await path.parts.stores.deliveries.record(attempt, late, { event, isNew });

  expect((await path.history(attempt.eventId))[0]!.answer).toEqual(answer);
  expect(await path.destination(attempt)).toMatchObject({ state: 'delivered', attempt_count: 1 });
});

it("a request that this machine couldn't send releases its claim, so the next try need not wait", async () => {
  const attempt = await promisedAttempt();
  const sender = { send: () => Promise.reject(new Error('no sockets left')), close: () => Promise.resolve() };
  await expect(path.executor({ sender }).attemptDelivery(attempt)).rejects.toThrow('no sockets left');

  expect(await path.executor().attemptDelivery(attempt)).toMatchObject({
    kind: 'answered',
    number: 1,
    statusCode: 200,
  });
  expect(await path.history(attempt.eventId)).toHaveLength(1);
});

describe('a delivery that waited in the process that claimed it in the event', () => {
  const OWNER = 'the process that accepted the event';

  /** @param leftMs how long the claim still lasts */
  async function waited(leftMs: number) {
    const attempt = await promisedAttempt();
    const until = new Date((await path.parts.stores.dispatch.now()).getTime() + leftMs);
    await path.events.updateOne(
      { _id: attempt.eventId },
      { $set: { 'destinations.0.claimed_by': OWNER, 'destinations.0.claimed_until': until } },
    );
    const claim = jest.fn(path.parts.stores.deliveries.claim);
    const deliveries = { ...path.parts.stores.deliveries, claim };
    return { attempt, claim, worker: path.executor({ deliveries, owner: OWNER }) };
  }

  it('is sent under that claim, and other processes stay away', async () => {
    const answer = holdAnswers(receiver, 200);
    const { attempt, claim, worker } = await waited(40_000);

    const outcome = worker.make(attempt, { source: { kind: 'claimed' } });
    await receiver.waitFor(1);
    await expect(path.executor().attemptDelivery(attempt)).rejects.toThrow('another process has it');
    answer();

    expect(await outcome).toMatchObject({ kind: 'answered', succeeded: true });
    expect(claim).not.toHaveBeenCalled();
    expect(receiver.requests).toHaveLength(1);
    expect(await path.history(attempt.eventId)).toMatchObject([{ number: 1, answer: { status_code: 200 } }]);
    expect(await path.destination(attempt)).toMatchObject({ state: 'delivered', attempt_count: 1 });
  });

  it('is claimed anew if that claim may end during the attempt, unless another process has the attempt', async () => {
    const { attempt, claim, worker } = await waited(29_000);
    expect(await path.parts.stores.deliveries.claim(attempt, 'another')).toEqual({ kind: 'claimed' });
    await expect(worker.make(attempt, { source: { kind: 'claimed' } })).rejects.toThrow(
      'another process makes the attempt',
    );
    await path.parts.stores.deliveries.release(attempt, 'another');

    expect(await worker.make(attempt, { source: { kind: 'claimed' } })).toMatchObject({
      kind: 'answered',
      succeeded: true,
    });
    expect(claim).toHaveBeenCalledTimes(2);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is not sent if it was cancelled meanwhile', async () => {
    const { attempt, worker } = await waited(40_000);
    await path.parts.stores.deliveries.cancel(attempt);
    expect(await worker.make(attempt, { source: { kind: 'claimed' } })).toEqual({ kind: 'ended', state: 'cancelled' });
    expect(receiver.requests).toEqual([]);
  });

  it('is held if its endpoint was paused meanwhile', async () => {
    const { attempt, worker } = await waited(40_000);
    await path.endpoints.updateOne({ _id: attempt.endpointId }, { $set: { status: 'paused' } });
    expect(await worker.make(attempt, { source: { kind: 'claimed' } })).toEqual({ kind: 'held', reason: 'paused' });
    expect(receiver.requests).toEqual([]);
    expect(await path.destination(attempt)).toMatchObject({ dispatch: 'held', held_for: 'paused' });
  });
});
