import { createDestinationCap } from '../../activities/destination-cap';
import type { AttemptInput } from '../../src/domain/delivery-contract';
import { buildAttempt, buildDataPath, holdAnswers, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// A receiver that takes long holds no workflow task: its attempt goes on by itself, and a later call gets the answer.

const path = useDataPath();
const slow = useReceiver();
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
  return { endpointId, attempts: promised.map(({ ref }) => buildAttempt(ref)) };
}

/** As a workflow task asks for an attempt, rather than an activity. */
function inline(attempt: AttemptInput): AttemptInput {
  return { ...attempt, inline: true };
}

it('a first try gives up waiting, after a second at the soonest; the call that follows gets the same answer', async () => {
  answer = holdAnswers(slow, 503);
  const attempt = await attemptOfOwn();
  const worker = path.executor();

  const startedAt = performance.now();
  expect(await worker.attemptDelivery(inline(attempt))).toEqual({ kind: 'busy' });
  expect(performance.now() - startedAt).toBeGreaterThan(950);

  const later = worker.attemptDelivery(attempt);
  answer();
  expect(await later).toMatchObject({ kind: 'answered', number: 1, statusCode: 503 });
  expect(slow.requests).toHaveLength(1);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

it('another process finds the answer in MongoDB', async () => {
  const attempt = await attemptOfOwn();
  await path.executor().attemptDelivery(inline(attempt));
  const other = path.executor();
  expect(await other.attemptDelivery(attempt)).toEqual({ kind: 'busy' });

  answer();

  await eventually(
    () => other.attemptDelivery(attempt),
    (outcome) => outcome.kind === 'answered',
  );
  expect(slow.requests).toHaveLength(1);
});

it('the answer gets into MongoDB although it could not be written when it came, and nobody waited for it', async () => {
  const attempt = await attemptOfOwn();
  const { deliveries } = path.parts.stores;
  let refused = 0;
  const record: typeof deliveries.record = (...args) => {
    refused += 1;
    return refused === 1 ? Promise.reject(new Error('MongoDB is away')) : deliveries.record(...args);
  };
  const worker = path.executor({ deliveries: { ...deliveries, record } });
  expect(await worker.attemptDelivery(inline(attempt))).toEqual({ kind: 'busy' });

  answer();

  await path.untilState(attempt, 'delivered');
  expect(slow.requests).toHaveLength(1);
});

it('an endpoint that is slow again and again is known as slow before it answers once', async () => {
  const { endpointId, attempts } = await attemptsOfOwn(6);
  const worker = path.executor();
  expect(path.parts.slowEndpoints.routeOf(endpointId)).toBe('inline');

  await Promise.all(attempts.map((attempt) => worker.attemptDelivery(inline(attempt))));

  expect(path.parts.slowEndpoints.routeOf(endpointId)).toBe('queued');
});

it('a database that takes a second is not held against the receiver, and the attempt is not left for it', async () => {
  answer();
  const { endpointId, attempts } = await attemptsOfOwn(6);
  const { deliveries } = path.parts.stores;
  const claim: typeof deliveries.claim = async (...args) => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    return deliveries.claim(...args);
  };
  const worker = path.executor({ deliveries: { ...deliveries, claim } });

  const outcomes = await Promise.all(attempts.map((attempt) => worker.attemptDelivery(inline(attempt))));

  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('answered'));
  expect(path.parts.slowEndpoints.routeOf(endpointId)).toBe('inline');
});

it('an endpoint that is silent for two seconds while more wait is known to hang in every process, until it answers', async () => {
  let nowMs = Date.now();
  const worker = path.executor({ cap: createDestinationCap(4, () => nowMs) });
  const { endpointId, attempts } = await attemptsOfOwn(3);
  const [first, second, third] = attempts;
  const other = await buildDataPath({ of: path });
  const hangs = () => [path, other].map(({ parts }) => parts.slowEndpoints.hangs(endpointId));
  try {
    const underWay = worker.attemptDelivery(first!);
    await slow.waitFor(1);
    expect(hangs()).toEqual([false, false]);

    // After these the second one is turned away, and says so.
    nowMs += 2_000;
    expect((await worker.attemptDelivery(second!)).kind).toBe('busy');
    await eventually(hangs, (all) => all.every(Boolean));
    expect(slow.requests).toHaveLength(1);

    answer();
    await underWay;
    expect((await worker.attemptDelivery(third!)).kind).toBe('answered');
    await eventually(hangs, (all) => !all.some(Boolean));
  } finally {
    await other.close();
  }
});
