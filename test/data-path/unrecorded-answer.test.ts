import { ATTEMPTS_COLLECTION, attemptId, type Attempt } from '../../src/deliveries/attempt-store';
import type { DeliveryStore } from '../../src/deliveries/store';
import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 2: the outcome outlives a failed write. MongoDB away for a minute causes no second POST.

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

/** MongoDB that takes claims and loads, and no answers, until it is told to. */
function withoutRecords(how: () => Promise<void>): { deliveries: DeliveryStore; heal(): void } {
  const real = path.parts.stores.deliveries;
  let healed = false;
  const record: DeliveryStore['record'] = (input, answer) => (healed ? real.record(input, answer) : how());
  return { deliveries: { ...real, record }, heal: () => void (healed = true) };
}

const away = (): Promise<void> => Promise.reject(new Error('MongoDB is away'));
const silent = (): Promise<void> => new Promise(() => undefined);

async function promised() {
  const type = `unrecorded.t${Math.random().toString(36).slice(2)}`;
  await path.endpoint(receiver.url, type);
  return { type, ref: (await path.promise(type)).ref };
}

test('an answer that MongoDB refused is returned all the same, marked as not recorded', async () => {
  const attempt = buildAttempt((await promised()).ref);
  const worker = path.executor(withoutRecords(away));

  expect(await worker.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200, recorded: false });
  expect(await path.history(attempt.eventId)).toEqual([]);
});

test('an answer that MongoDB takes for ever to write is returned in time for the activity', async () => {
  const attempt = buildAttempt((await promised()).ref);
  const startedAt = performance.now();

  const outcome = await path.executor(withoutRecords(silent)).attemptDelivery(attempt);

  expect(outcome).toMatchObject({ kind: 'answered', recorded: false });
  // 30 s for the receiver and this are within the activity's 35 s.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('Temporal asks the same worker again after a lost completion: the answer is known, nothing is sent', async () => {
  const attempt = buildAttempt((await promised()).ref);
  const worker = path.executor(withoutRecords(away));
  const first = await worker.attemptDelivery(attempt);

  expect(await worker.attemptDelivery(attempt)).toEqual(first);
  expect(receiver.requests).toHaveLength(1);
});

test('an answer whose outcome never reaches the workflow gets into the history all the same (regression)', async () => {
  const attempt = buildAttempt((await promised()).ref);
  const broken = withoutRecords(away);
  await path.executor(broken).attemptDelivery(attempt);
  broken.heal();

  await eventually(
    () => path.destination(attempt),
    ({ state }) => state === 'delivered',
  );
  expect(await path.executor().attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(receiver.requests).toHaveLength(1);
});

test('the state never moves ahead of the history: without the answer the delivery is not delivered (regression)', async () => {
  const attempt = buildAttempt((await promised()).ref);
  const refuseAnswers = (validator: object) => path.mongo.db.command({ collMod: 'attempts', validator });
  await refuseAnswers({ answer: { $exists: false } });
  try {
    const worker = path.executor();
    expect(await worker.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', recorded: false });
    expect(await path.destination(attempt)).toMatchObject({ state: 'pending', attempt_count: 0 });
  } finally {
    await refuseAnswers({});
  }
});

test('recordAttempt writes the answer and moves the delivery, as often as it is called', async () => {
  receiver.answerWith(503);
  const attempt = buildAttempt((await promised()).ref);
  const broken = withoutRecords(away);
  const worker = path.executor(broken);
  const outcome = await worker.attemptDelivery(attempt);
  if (outcome.kind !== 'answered') throw new Error(`not answered: ${outcome.kind}`);

  await expect(worker.recordAttempt(attempt, outcome)).rejects.toThrow('MongoDB is away');
  broken.heal();
  await Promise.all([worker.recordAttempt(attempt, outcome), path.executor().recordAttempt(attempt, outcome)]);
  await worker.recordAttempt(attempt, outcome);

  expect(await path.history(attempt.eventId)).toMatchObject([
    { number: 1, trigger: 'scheduled', answer: { status_code: 503, succeeded: false } },
  ]);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
  expect(receiver.requests).toHaveLength(1);
});

test('MongoDB was away for longer than a lease: another worker gets the answer of the first, and sends nothing (regression)', async () => {
  receiver.answerWith(503);
  const attempt = buildAttempt((await promised()).ref);
  const broken = withoutRecords(away);
  // Its outcome is lost: the workflow task had timed out meanwhile.
  const lost = await path.executor(broken).attemptDelivery(attempt);
  await path.mongo.db
    .collection<Attempt>(ATTEMPTS_COLLECTION)
    .updateOne({ _id: attemptId(attempt) }, { $set: { lease_until: new Date(0) } });

  // MongoDB is back, and the other one is the first to come.
  const another = path.executor();
  expect(await another.attemptDelivery(attempt)).toMatchObject({ kind: 'busy' });
  broken.heal();

  const outcome = await eventually(
    () => another.attemptDelivery(attempt),
    ({ kind }) => kind === 'answered',
  );
  expect(outcome).toEqual({ ...lost, recorded: true });
  expect(receiver.requests).toHaveLength(1);
  expect(await path.history(attempt.eventId)).toMatchObject([
    { number: 1, answer: { status_code: 503, response_snippet: 'answer 503' } },
  ]);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

test('through the workflow: MongoDB refuses the answer for a while, and there is one request and a whole history', async () => {
  const ownPath = await buildDataPath({ of: path });
  try {
    const type = 'unrecorded.workflow';
    await path.endpoint(receiver.url, type);
    const broken = withoutRecords(away);
    await ownPath.worker({ deliveries: broken.deliveries });

    const { ref } = await ownPath.send(type);
    await receiver.waitFor(1);
    const handle = ownPath.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));
    await eventually(
      () => handle.describe(),
      ({ raw }) => (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) >= 2),
    );
    broken.heal();

    await eventually(
      () => path.destination(ref),
      ({ state }) => state === 'delivered',
    );
    expect(await handle.result()).toEqual({ state: 'delivered', attempts: 1 });
    expect(receiver.requests).toHaveLength(1);
    expect(await path.history(ref.eventId)).toMatchObject([{ number: 1, answer: { status_code: 200 } }]);
    // What the receiver said stays out of Temporal.
    expect(JSON.stringify(await handle.fetchHistory())).not.toContain(Buffer.from('answer 200').toString('base64'));
  } finally {
    await ownPath.close();
  }
});
