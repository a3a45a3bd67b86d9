import { RECORD_PATIENCE_MS } from '../../activities/attempt-delivery';
import { attemptId } from '../../src/deliveries/attempt-store';
import type { DeliveryStore } from '../../src/deliveries/store';
import type { AttemptInput } from '../../src/domain/delivery-contract';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, useDataPath } from '../support/build-data-path';

// Rule 2: the outcome outlives a failed write. MongoDB away for a minute causes no second POST.

const path = useDataPath();
const receiver = useReceiver();

/** MongoDB that takes claims and loads, and no answers, until it is told to. */
function withoutRecords(how: () => Promise<void>): { deliveries: DeliveryStore; heal(): void } {
  const real = path.parts.stores.deliveries;
  let healed = false;
  const heal = () => void (healed = true);
  const record: DeliveryStore['record'] = (input, answer) => (healed ? real.record(input, answer) : how());
  broken.push(heal);
  return { deliveries: { ...real, record }, heal };
}

const broken: (() => void)[] = [];

// A process that ends waits for answers that are not written yet.
afterEach(() => broken.splice(0).forEach((heal) => heal()));

/** Of an attempt, in workflows/deliver-event.ts. */
const ACTIVITY_TIMEOUT_MS = 35_000;

const away = (): Promise<void> => Promise.reject(new Error('MongoDB is away'));
const silent = (): Promise<void> => new Promise(() => undefined);

async function promisedAttempt(): Promise<AttemptInput> {
  return buildAttempt((await path.promiseTo(receiver.url)).ref);
}

it('an answer that MongoDB refused is returned all the same, marked as not recorded', async () => {
  const attempt = await promisedAttempt();
  const worker = path.executor(withoutRecords(away));

  expect(await worker.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200, recorded: false });
  expect(await path.history(attempt.eventId)).toEqual([]);
});

it('an answer that MongoDB takes for ever to write is returned in time for the activity', async () => {
  const attempt = await promisedAttempt();
  const worker = path.executor({ ...withoutRecords(silent), recordPatienceMs: 20 });

  expect(await worker.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', recorded: false });
  expect(path.config.delivery.timeoutMs + RECORD_PATIENCE_MS).toBeLessThan(ACTIVITY_TIMEOUT_MS);
});

it('Temporal asks the same worker again after a lost completion: the answer is known, nothing is sent', async () => {
  const attempt = await promisedAttempt();
  const worker = path.executor(withoutRecords(away));
  const first = await worker.attemptDelivery(attempt);

  expect(await worker.attemptDelivery(attempt)).toEqual(first);
  expect(receiver.requests).toHaveLength(1);
});

it('an answer whose outcome never reaches the workflow gets into the history all the same (regression)', async () => {
  const attempt = await promisedAttempt();
  const mongo = withoutRecords(away);
  await path.executor(mongo).attemptDelivery(attempt);
  mongo.heal();

  await path.untilState(attempt, 'delivered');
  expect(await path.executor().attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(receiver.requests).toHaveLength(1);
});

it('the state never moves ahead of the history: without the answer the delivery is not delivered (regression)', async () => {
  const attempt = await promisedAttempt();
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

it('recordAttempt writes the answer and moves the delivery, as often as it is called', async () => {
  receiver.answerWith(503);
  const attempt = await promisedAttempt();
  const mongo = withoutRecords(away);
  const worker = path.executor(mongo);
  const outcome = await worker.attemptDelivery(attempt);
  if (outcome.kind !== 'answered') throw new Error(`not answered: ${outcome.kind}`);

  await expect(worker.recordAttempt(attempt, outcome)).rejects.toThrow('MongoDB is away');
  mongo.heal();
  await Promise.all([worker.recordAttempt(attempt, outcome), path.executor().recordAttempt(attempt, outcome)]);
  await worker.recordAttempt(attempt, outcome);

  expect(await path.history(attempt.eventId)).toMatchObject([
    { number: 1, trigger: 'scheduled', answer: { status_code: 503, succeeded: false } },
  ]);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
  expect(receiver.requests).toHaveLength(1);
});

it('MongoDB was away for longer than a lease: another worker gets the answer of the first, and sends nothing (regression)', async () => {
  receiver.answerWith(503);
  const attempt = await promisedAttempt();
  const mongo = withoutRecords(away);
  // Its outcome is lost: the workflow task had timed out meanwhile.
  const lost = await path.executor(mongo).attemptDelivery(attempt);
  await path.attempts.updateOne({ _id: attemptId(attempt) }, { $set: { lease_until: new Date(0) } });

  // MongoDB is back, and the other one is the first to come.
  const another = path.executor();
  expect(await another.attemptDelivery(attempt)).toMatchObject({ kind: 'busy' });
  mongo.heal();

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

it('through the workflow: MongoDB refuses the answer for a while, and there is one request and a whole history', async () => {
  const ownPath = await buildDataPath({ of: path });
  try {
    const mongo = withoutRecords(away);
    await ownPath.worker({ deliveries: mongo.deliveries });

    const { ref } = await ownPath.sendTo(receiver.url);
    await receiver.waitFor(1);
    const handle = ownPath.handleOf(ref);
    await eventually(
      () => handle.describe(),
      ({ raw }) => (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) >= 2),
    );
    mongo.heal();

    await path.untilState(ref, 'delivered');
    expect(await handle.result()).toEqual({ state: 'delivered', attempts: 1 });
    expect(receiver.requests).toHaveLength(1);
    expect(await path.history(ref.eventId)).toMatchObject([{ number: 1, answer: { status_code: 200 } }]);
    // What the receiver said stays out of Temporal.
    expect(JSON.stringify(await handle.fetchHistory())).not.toContain(Buffer.from('answer 200').toString('base64'));
  } finally {
    await ownPath.close();
  }
});
