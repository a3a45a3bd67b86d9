import { createDestinationCap } from '../../activities/destination-cap';
import { useReceiver } from '../support/build-receiver';
import { buildAttempt, holdAnswers, useDataPath } from '../support/build-data-path';

// Rule 9: caps don't hold slots. At a destination's cap the answer is `busy` at once, and no attempt is consumed.

const path = useDataPath();
const slow = useReceiver();
const fast = useReceiver();
let answer: () => void;

beforeEach(() => {
  answer = holdAnswers(slow);
});

afterEach(() => answer());

it('the third request to a destination that takes two is turned away at once, and leaves nothing behind', async () => {
  const worker = path.executor({ cap: createDestinationCap(2) });
  await path.endpoint(slow.url, 'caps.activity');
  const attempts = await Promise.all(
    [1, 2, 3].map(async () => buildAttempt((await path.promise('caps.activity')).ref)),
  );
  const underWay = attempts.slice(0, 2).map((attempt) => worker.attemptDelivery(attempt));
  await slow.waitFor(2);

  // At once: the other two are answered only after this.
  expect(await worker.attemptDelivery(attempts[2]!)).toEqual({ kind: 'busy', waitMs: 1_000 });

  expect(await path.destination(attempts[2]!)).toMatchObject({ state: 'pending', attempt_count: 0 });
  expect(await path.attempts.countDocuments({ event_id: attempts[2]!.eventId })).toBe(0);
  answer();
  await Promise.all(underWay);
  expect(await worker.attemptDelivery(attempts[2]!)).toMatchObject({ kind: 'answered', number: 1, statusCode: 200 });
});

it('a destination at its cap does not hold up another one', async () => {
  const worker = path.executor({ cap: createDestinationCap(1) });
  await path.endpoint(slow.url, 'caps.slow');
  await path.endpoint(fast.url, 'caps.fast');
  const held = worker.attemptDelivery(buildAttempt((await path.promise('caps.slow')).ref));
  await slow.waitFor(1);

  const outcome = await worker.attemptDelivery(buildAttempt((await path.promise('caps.fast')).ref));

  expect(outcome).toMatchObject({ kind: 'answered', statusCode: 200 });
  answer();
  await held;
});

it('through the workflow: more deliveries than a destination takes are all made, with one attempt each', async () => {
  await path.worker();
  await path.endpoint(slow.url, 'caps.workflow.slow');
  await path.endpoint(fast.url, 'caps.workflow.fast');
  // 64 requests to one destination are the most that a worker makes at a time; 16, once none of them is answered.
  const held = await Promise.all(Array.from({ length: 70 }, () => path.send('caps.workflow.slow')));
  await slow.waitFor(16);

  const { ref } = await path.send('caps.workflow.fast');
  await path.untilState(ref, 'delivered');
  expect(slow.requests.length).toBeLessThanOrEqual(64);

  answer();
  const destinations = await Promise.all(held.map((promised) => path.untilState(promised.ref, 'delivered')));
  expect(destinations.map(({ attempt_count: count }) => count)).toEqual(Array(70).fill(1));
  expect(slow.requests).toHaveLength(70);
  expect(await path.handleOf(ref).result()).toMatchObject({ state: 'delivered' });
});
