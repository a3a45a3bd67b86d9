import { ATTEMPTS_COLLECTION, attemptId, type Attempt } from '../../src/deliveries/attempt-store';
import type { AttemptInput } from '../../src/domain/delivery-contract';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 1: claim before POST. A recorded answer is returned, never re-sent.

let path: DataPath;
let receiver: Receiver;

beforeAll(async () => {
  path = await buildDataPath();
});

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
});

afterEach(() => receiver.close());

async function promisedAttempt(): Promise<AttemptInput> {
  const type = `claim.t${Math.random().toString(36).slice(2)}`;
  await path.endpoint(receiver.url, type);
  return buildAttempt((await path.promise(type)).ref);
}

function attempts() {
  return path.mongo.db.collection<Attempt>(ATTEMPTS_COLLECTION);
}

test('two workers that make the same attempt at once send one request and get the same answer', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  receiver.answerWith(() => answered.then(() => 503));
  const attempt = await promisedAttempt();
  const [first, second] = [path.executor(), path.executor()];

  const outcomes = [first.attemptDelivery(attempt), second.attemptDelivery(attempt)];
  await receiver.waitFor(1);
  // The other one comes to the claim, and would send if it could.
  expect(await Promise.race(outcomes)).toEqual({ kind: 'busy' });
  answer();

  const both = await Promise.all(outcomes);
  const one = both.find(({ kind }) => kind === 'answered');
  // It comes again for the answer.
  expect(await second.attemptDelivery(attempt)).toEqual(one);
  expect(await first.attemptDelivery(attempt)).toEqual(one);
  expect(one).toMatchObject({ kind: 'answered', number: 1, statusCode: 503, recorded: true });
  expect(receiver.requests).toHaveLength(1);
});

test('many executions of one attempt in many workers send one request', async () => {
  receiver.answerWith(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 200;
  });
  const attempt = await promisedAttempt();
  const workers = Array.from({ length: 5 }, () => path.executor());

  const outcomes = await eventually(
    () => Promise.all(Array.from({ length: 25 }, (_, index) => workers[index % 5]!.attemptDelivery(attempt))),
    (all) => all.every(({ kind }) => kind === 'answered'),
  );

  expect(receiver.requests).toHaveLength(1);
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
});

test('a second execution in the same process joins the first: a signal during an inline attempt re-runs it', async () => {
  const attempt = await promisedAttempt();
  const worker = path.executor();

  const outcomes = await Promise.all([worker.attemptDelivery(attempt), worker.attemptDelivery(attempt)]);

  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(receiver.requests).toHaveLength(1);
});

test('a recorded answer is returned and never asked for again: Temporal forgot its last second', async () => {
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

test('a delivery whose answer is in the history but not in its state is moved by the next execution', async () => {
  const attempt = await promisedAttempt();
  await path.executor().attemptDelivery(attempt);
  // What a crash between the two writes leaves behind.
  await path.mongo.db
    .collection<{ _id: number }>('events')
    .updateOne(
      { _id: attempt.eventId },
      { $set: { 'destinations.0.state': 'pending', 'destinations.0.attempt_count': 0 } },
    );

  expect(await path.executor().attemptDelivery(attempt)).toMatchObject({ kind: 'answered', succeeded: true });

  expect(receiver.requests).toHaveLength(1);
  expect(await path.destination(attempt)).toMatchObject({ state: 'delivered', attempt_count: 1 });
});

test("a dead worker's attempt is made again when its lease is over, and not before", async () => {
  const attempt = await promisedAttempt();
  expect(await path.parts.stores.deliveries.claim(attempt, 'a worker that died')).toEqual({ kind: 'claimed' });

  const worker = path.executor();
  // It holds no slot meanwhile: the workflow asks again.
  expect(await worker.attemptDelivery(attempt)).toEqual({ kind: 'busy' });
  expect(receiver.requests).toHaveLength(0);
  await endLease(attempt);

  expect(await worker.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(receiver.requests).toHaveLength(1);
  expect((await claimOf(attempt)())!.claimed_by).not.toBe('a worker that died');
});

test('of many workers that wait for a dead one, one takes over', async () => {
  const attempt = await promisedAttempt();
  await path.parts.stores.deliveries.claim(attempt, 'a worker that died');
  const workers = Array.from({ length: 8 }, () => path.executor());
  const ask = () => Promise.all(workers.map((worker) => worker.attemptDelivery(attempt)));
  expect(new Set((await ask()).map(({ kind }) => kind))).toEqual(new Set(['busy']));
  await endLease(attempt);

  const answers = await eventually(ask, (outcomes) => outcomes.every(({ kind }) => kind === 'answered'));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(receiver.requests).toHaveLength(1);
});

test('a lease that is over, and still is when it is looked at again, is taken', async () => {
  const attempt = await promisedAttempt();
  await path.parts.stores.deliveries.claim(attempt, 'a worker that died');
  await attempts().updateOne({ _id: attemptId(attempt) }, { $set: { lease_until: new Date(0) } });
  const worker = path.executor();

  // The first look leaves the other one a last chance to come with its answer.
  expect(await worker.attemptDelivery(attempt)).toEqual({ kind: 'busy', waitMs: 5_000 });
  expect(await path.executor().attemptDelivery(attempt)).toMatchObject({ kind: 'busy' });
  expect(receiver.requests).toHaveLength(0);
  await eventually(
    () => worker.attemptDelivery(attempt),
    ({ kind }) => kind === 'answered',
  );

  expect(receiver.requests).toHaveLength(1);
});

describe('a claim lasts as long as a receiver may take to answer, and ten seconds', () => {
  let hasty: DataPath;

  beforeAll(async () => {
    hasty = await buildDataPath({ of: path, env: { DELIVERY_TIMEOUT: '5s' } });
  });

  afterAll(() => hasty?.close());

  /** By the claim of a first process, as a second one is told. */
  async function takenForMs(first: DataPath, second: DataPath): Promise<number> {
    const attempt = await promisedAttempt();
    await first.parts.stores.deliveries.claim(attempt, 'one');
    const claim = await second.parts.stores.deliveries.claim(attempt, 'another');
    return claim.kind === 'taken' ? claim.forMs : 0;
  }

  test('40 s by default', async () => {
    const forMs = await takenForMs(path, path);
    expect(forMs).toBeGreaterThan(37_000);
    expect(forMs).toBeLessThanOrEqual(40_000);
  });

  test('less with a shorter DELIVERY_TIMEOUT: what a dead worker had under way is made again sooner', async () => {
    const forMs = await takenForMs(hasty, hasty);
    expect(forMs).toBeGreaterThan(12_000);
    expect(forMs).toBeLessThanOrEqual(15_000);
  });

  test('the time-out of the one who has the claim counts, not of the one who comes to it', async () => {
    expect(await takenForMs(path, hasty)).toBeGreaterThan(37_000);
    expect(await takenForMs(hasty, path)).toBeLessThanOrEqual(15_000);
  });

  test('also of a claim that was taken over', async () => {
    const attempt = await promisedAttempt();
    await path.parts.stores.deliveries.claim(attempt, 'one');
    await endLease(attempt);
    expect(await hasty.parts.stores.deliveries.claim(attempt, 'two')).toEqual({ kind: 'claimed' });

    const claim = await path.parts.stores.deliveries.claim(attempt, 'three');

    expect(claim.kind === 'taken' && claim.forMs).toBeLessThanOrEqual(15_000);
  });

  test('an attempt of an earlier version, whose claim names no lease, keeps its 40 s', async () => {
    const attempt = await promisedAttempt();
    await hasty.parts.stores.deliveries.claim(attempt, 'one');
    await attempts().updateOne({ _id: attemptId(attempt) }, { $unset: { lease_ms: 1 } });

    const claim = await hasty.parts.stores.deliveries.claim(attempt, 'another');

    expect(claim.kind === 'taken' && claim.forMs).toBeGreaterThan(37_000);
  });
});

test('a worker that comes back after its lease does not change the answer that another one got', async () => {
  const attempt = await promisedAttempt();
  await path.executor().attemptDelivery(attempt);
  const [{ answer }] = (await path.history(attempt.eventId)) as [Attempt & { answer: NonNullable<Attempt['answer']> }];

  await path.parts.stores.deliveries.record(attempt, { ...answer, succeeded: false, status_code: 500 });

  expect((await path.history(attempt.eventId))[0]!.answer).toEqual(answer);
  expect(await path.destination(attempt)).toMatchObject({ state: 'delivered', attempt_count: 1 });
});

test('what was cancelled while another worker held the claim is not sent by the one that takes over', async () => {
  const attempt = await promisedAttempt();
  await path.parts.stores.deliveries.claim(attempt, 'a worker that died');
  const worker = path.executor();
  expect(await worker.attemptDelivery(attempt)).toEqual({ kind: 'busy' });

  await path.parts.stores.deliveries.cancel(attempt);
  await endLease(attempt);

  expect(await worker.attemptDelivery(attempt)).toEqual({ kind: 'ended', state: 'cancelled' });
  expect(receiver.requests).toHaveLength(0);
});

test('a request that this machine could not make gives the claim back, so that the next try need not wait', async () => {
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

function claimOf(attempt: AttemptInput): () => Promise<Attempt | null> {
  return () => attempts().findOne({ _id: attemptId(attempt) });
}

/** It is over, and somebody found it so a while ago. */
async function endLease(attempt: AttemptInput): Promise<void> {
  const over = { lease_until: new Date(0), seen_expired: true };
  await attempts().updateOne({ _id: attemptId(attempt) }, { $set: over });
}
