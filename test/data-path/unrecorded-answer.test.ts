import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger } from '../../src/platform/logger';
import { attemptId, type AnsweredAttempt } from '../../src/stores/attempt-store';
import type { DeliveryStore } from '../../src/stores/delivery-store';
import type { AttemptInput } from '../../src/domain/delivery-contract';
import { buildAttempt, buildDataPath, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// Rule 2: an answer is kept until MongoDB takes it. A process that dies before that leaves the attempt to be made again.

const path = useDataPath();
const receiver = useReceiver();

/** A MongoDB that accepts claims and loads, but no answers, until told to. */
function withoutRecords(): { deliveries: DeliveryStore; heal(): void; refusals(): number } {
  const real = path.parts.stores.deliveries;
  let isHealed = false;
  let refusals = 0;
  const heal = () => void (isHealed = true);
  const record: DeliveryStore['record'] = (...call) => {
    if (isHealed) return real.record(...call);
    refusals += 1;
    return Promise.reject(new Error('MongoDB is away'));
  };
  broken.push(heal);
  return { deliveries: { ...real, record }, heal, refusals: () => refusals };
}

const broken: (() => void)[] = [];

// A process that ends waits for answers that are not written yet.
afterEach(() => broken.splice(0).forEach((heal) => heal()));

async function promisedAttempt(): Promise<AttemptInput> {
  return buildAttempt((await path.promiseTo(receiver.url)).ref);
}

it("an answer that MongoDB can't store is stored when MongoDB recovers: one request, and a complete history", async () => {
  receiver.answerWith(503);
  const attempt = await promisedAttempt();
  const mongo = withoutRecords();
  const worker = path.executor({ deliveries: mongo.deliveries });
  const outcomes = [worker.attemptDelivery(attempt)];
  await receiver.waitFor(1);
  // Temporal calls the same worker again meanwhile.
  outcomes.push(worker.attemptDelivery(attempt));
  expect(await path.history(attempt.eventId)).toEqual([]);
  mongo.heal();

  expect(await Promise.all(outcomes)).toEqual(
    Array(2).fill(expect.objectContaining({ kind: 'answered', statusCode: 503 })),
  );
  expect(receiver.requests).toHaveLength(1);
  expect(await path.history(attempt.eventId)).toMatchObject([
    { number: 1, trigger: 'scheduled', answer: { status_code: 503, response_snippet: 'answer 503' } },
  ]);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

it('the log line about it names the trace of its event', async () => {
  const attempt = await promisedAttempt();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await path.events.updateOne({ _id: attempt.eventId }, { $set: { traceparent } });
  const mongo = withoutRecords();
  const lines = new PassThrough();
  const logger = createLogger('warn', lines);
  const made = path.executor({ deliveries: mongo.deliveries, logger }).attemptDelivery(attempt);
  const [line] = (await once(lines, 'data')) as [Buffer];
  mongo.heal();
  await made;

  expect(JSON.parse(String(line))).toMatchObject({
    msg: 'could not record the answer of an attempt; retrying',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    span_id: 'b7ad6b7169203331',
  });
});

it('an attempt whose process died with the answer is repeated when its claim ends', async () => {
  const attempt = await promisedAttempt();
  void path
    .executor({ deliveries: withoutRecords().deliveries })
    .attemptDelivery(attempt)
    .catch(() => undefined);
  await receiver.waitFor(1);
  const another = path.executor();
  await expect(another.attemptDelivery(attempt)).rejects.toThrow('another process makes the attempt, or died');
  await path.attempts.updateOne({ _id: attemptId(attempt) }, { $set: { lease_until: new Date(0) } });

  expect(await another.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(receiver.requests).toHaveLength(2);
});

it("a process that stops gives up an answer that MongoDB can't store", async () => {
  const attempt = await promisedAttempt();
  const ownPath = await buildDataPath({ of: path });
  const outcome = ownPath.executor({ deliveries: withoutRecords().deliveries }).attemptDelivery(attempt);
  outcome.catch(() => undefined);
  await receiver.waitFor(1);

  await ownPath.close();

  await expect(outcome).rejects.toThrow('MongoDB is away');
});

it.each([
  [200, 'delivered'],
  [503, 'retrying'],
])("an answer that the history can't store isn't counted in the state either: %i", async (status, state) => {
  receiver.answerWith(status);
  const attempt = await promisedAttempt();
  const refuseAnswers = (validator: object) => path.mongo.db.command({ collMod: 'attempts', validator });
  let isRefused = false;
  const deliveries: DeliveryStore = {
    ...path.parts.stores.deliveries,
    record: (...answer) =>
      path.parts.stores.deliveries.record(...answer).catch((error: unknown) => {
        isRefused = true;
        throw error;
      }),
  };
  const made = path.executor({ deliveries });
  await refuseAnswers({ answer: { $exists: false } });
  const outcome = made.attemptDelivery(attempt);
  await eventually(
    () => isRefused,
    (it) => it,
  );

  expect(await path.destination(attempt)).toMatchObject({ state: 'pending', attempt_count: 0 });

  await refuseAnswers({});
  await outcome;
  expect(await path.destination(attempt)).toMatchObject({ state, attempt_count: 1 });
});

describe('an answer that comes after another process made the attempt again', () => {
  /** Two processes make one attempt, because the first is stopped past its claim. @returns what the record says then */
  async function late(first: number, second: number) {
    receiver.answerWith((_request, count) => (count === 1 ? first : second));
    const attempt = await promisedAttempt();
    const mongo = withoutRecords();
    const stopped = path.executor({ deliveries: mongo.deliveries }).attemptDelivery(attempt);
    await eventually(
      () => mongo.refusals(),
      (count) => count > 0,
    );
    await path.attempts.updateOne({ _id: attemptId(attempt) }, { $set: { lease_until: new Date(0) } });
    await path.executor().attemptDelivery(attempt);
    mongo.heal();
    await stopped;
    const [{ state, attempt_count: count }, history] = await Promise.all([
      path.destination(attempt),
      path.history(attempt.eventId),
    ]);
    return { state, count, statuses: history.map(({ answer }) => answer.status_code) };
  }

  it.each([
    { late: 200, recorded: 500, state: 'delivered', shown: 200 },
    { late: 500, recorded: 200, state: 'delivered', shown: 200 },
    { late: 503, recorded: 500, state: 'retrying', shown: 500 },
  ])('$late after $recorded: the delivery is $state, and its history says $shown', async (row) => {
    expect(await late(row.late, row.recorded)).toEqual({ state: row.state, count: 1, statuses: [row.shown] });
  });

  it('500 after a 200 whose process died before it changed the state: the delivery is delivered', async () => {
    receiver.answerWith(200);
    const attempt = await promisedAttempt();
    await path.executor().attemptDelivery(attempt);
    const [{ answer }] = (await path.history(attempt.eventId)) as [AnsweredAttempt];
    const isPending = { 'destinations.0.state': 'pending', 'destinations.0.attempt_count': 0, unfinished: 1 };
    await path.events.updateOne({ _id: attempt.eventId }, { $set: isPending });

    const second = { ...answer, succeeded: false, status_code: 500 };
    const event = await path.event(attempt.eventId);
    await path.parts.stores.deliveries.record(attempt, second, { event, isNew: false });

    expect(await path.destination(attempt)).toMatchObject({ state: 'delivered', attempt_count: 1 });
    expect(await path.history(attempt.eventId)).toMatchObject([{ answer: { status_code: 200 } }]);
  });
});
