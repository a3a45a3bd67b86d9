import type { AttemptInput } from '../../src/domain/delivery-contract';
import { createEndpointCapacity } from '../../src/engine/endpoint-capacity';
import { buildAttempt, holdAnswers, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// A slow receiver holds no workflow task: its attempt continues in the background, and a later call gets the answer.

const path = useDataPath();
const slow = useReceiver();
const TAKES_LONG = { name: 'SlowReceiver' };
let answer: () => void;

beforeEach(() => {
  answer = holdAnswers(slow);
});

afterEach(() => answer());

async function attemptOfOwn() {
  return buildAttempt((await path.promiseTo(slow.url)).ref);
}

/** Attempts of deliveries to one endpoint. */
async function attemptsOfOwn(count: number) {
  const { endpointId, type } = await path.promiseTo(slow.url);
  const promised = await Promise.all(Array.from({ length: count }, () => path.promise(type)));
  return { endpointId, type, attempts: promised.map(({ ref }) => buildAttempt(ref)) };
}

/** As a workflow task requests an attempt, rather than an activity. */
function inline(attempt: AttemptInput): AttemptInput {
  return { ...attempt, inline: true };
}

it('a first try stops waiting after a second at the earliest; the next call gets the same answer', async () => {
  answer = holdAnswers(slow, 503);
  const attempt = await attemptOfOwn();
  const worker = path.executor();

  const startedAt = performance.now();
  await expect(worker.attemptDelivery(inline(attempt))).rejects.toMatchObject(TAKES_LONG);
  expect(performance.now() - startedAt).toBeGreaterThan(950);

  const later = worker.attemptDelivery(attempt);
  answer();
  expect(await later).toMatchObject({ kind: 'answered', number: 1, statusCode: 503 });
  expect(slow.requests).toHaveLength(1);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

it('another process finds the answer in MongoDB', async () => {
  const attempt = await attemptOfOwn();
  await expect(path.executor().attemptDelivery(inline(attempt))).rejects.toMatchObject(TAKES_LONG);
  const other = path.executor();
  await expect(other.attemptDelivery(attempt)).rejects.toMatchObject({ name: 'AttemptUnderWay' });

  answer();

  const outcome = await eventually(
    () => other.attemptDelivery(attempt).catch(() => undefined),
    (made) => made !== undefined,
  );
  expect(outcome).toMatchObject({ kind: 'answered', number: 1, statusCode: 200 });
  expect(slow.requests).toHaveLength(1);
});

it('an answer that no caller waits for gets into MongoDB, even if the first write failed', async () => {
  const attempt = await attemptOfOwn();
  const { deliveries } = path.parts.stores;
  let refused = 0;
  const record: typeof deliveries.record = (...args) => {
    refused += 1;
    return refused === 1 ? Promise.reject(new Error('MongoDB is away')) : deliveries.record(...args);
  };
  const worker = path.executor({ deliveries: { ...deliveries, record } });
  await expect(worker.attemptDelivery(inline(attempt))).rejects.toMatchObject(TAKES_LONG);

  answer();

  await path.untilState(attempt, 'delivered');
  expect(slow.requests).toHaveLength(1);
});

it('an endpoint that is repeatedly slow counts as slow before its first answer, and holds no workflow task', async () => {
  const { endpointId, type, attempts } = await attemptsOfOwn(6);
  const worker = path.executor();
  expect(path.parts.capacity.isSlow(endpointId)).toBe(false);

  await Promise.allSettled(attempts.map((attempt) => worker.attemptDelivery(inline(attempt))));

  // Where this machine was the slow one, an attempt is left before its request is judged.
  await eventually(() => path.parts.capacity.isSlow(endpointId), Boolean);
  await slow.waitFor(6);
  const later = inline(buildAttempt((await path.promise(type)).ref));
  await expect(worker.attemptDelivery(later)).rejects.toMatchObject(TAKES_LONG);
  expect(slow.requests).toHaveLength(6);
});

it("a second of database time doesn't count against the receiver", async () => {
  answer();
  const { endpointId, attempts } = await attemptsOfOwn(6);
  const { deliveries } = path.parts.stores;
  const claim: typeof deliveries.claim = async (...args) => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    return deliveries.claim(...args);
  };
  const worker = path.executor({ deliveries: { ...deliveries, claim } });

  const outcomes = await Promise.all(attempts.map((attempt) => worker.attemptDelivery(attempt)));

  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('answered'));
  expect(path.parts.capacity.isSlow(endpointId)).toBe(false);
});

it('an endpoint that is silent for two seconds while more deliveries wait counts as hanging, until it answers', async () => {
  let nowMs = performance.now();
  const capacity = createEndpointCapacity(4, { now: () => nowMs });
  const worker = path.executor({ capacity });
  const { endpointId, attempts } = await attemptsOfOwn(3);
  const [first, second, third] = attempts;
  const underWay = worker.attemptDelivery(first!);
  await slow.waitFor(1);
  expect(capacity.hangs(endpointId)).toBe(false);

  nowMs += 2_000;
  expect(await worker.attemptDelivery(second!)).toEqual({ kind: 'held', reason: 'hanging' });
  expect(capacity.hangs(endpointId)).toBe(true);
  expect(slow.requests).toHaveLength(1);
  expect(await path.destination(second!)).toMatchObject({ state: 'pending', attempt_count: 0, held_for: 'hanging' });

  answer();
  await underWay;
  expect(capacity.hangs(endpointId)).toBe(false);
  expect(await worker.attemptDelivery(third!)).toMatchObject({ kind: 'answered', statusCode: 200 });
});
