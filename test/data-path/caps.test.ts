import { createEndpointCapacity } from '../../src/engine/endpoint-capacity';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, holdAnswers, ownType, receivedIds, useDataPath } from '../support/build-data-path';

// Rule 9: caps don't hold slots. What a destination can't take now is held, consumes no attempt, and goes when it can.

const path = useDataPath();
const slow = useReceiver();
const fast = useReceiver();
let answer: () => void;
let type: string;

beforeAll(() => path.worker());

beforeEach(() => {
  answer = holdAnswers(slow);
  type = ownType();
});

afterEach(() => answer());

it('the third request to a destination with a cap of two is held, and sent when there is room', async () => {
  const worker = path.executor({ capacity: createEndpointCapacity(2) });
  await path.endpoint(slow.url, type);
  const attempts = await Promise.all([1, 2, 3].map(async () => buildAttempt((await path.promise(type)).ref)));
  const underWay = attempts.slice(0, 2).map((attempt) => worker.attemptDelivery(attempt));
  await slow.waitFor(2);

  // At once: the other two are answered only after this.
  expect(await worker.attemptDelivery(attempts[2]!)).toEqual({ kind: 'held', reason: 'at_cap' });

  const held = { dispatch: 'held', held_for: 'at_cap', state: 'pending', attempt_count: 0 };
  expect(await path.destination(attempts[2]!)).toMatchObject(held);
  expect(await path.attempts.countDocuments({ event_id: attempts[2]!.eventId })).toBe(0);
  answer();
  await Promise.all(underWay);
  expect(await path.lookUntil(attempts[2]!, 'delivered')).toMatchObject({ attempt_count: 1, held_for: null });
  expect(slow.requests).toHaveLength(3);
});

it('through the workflow: more deliveries than the cap are all made, and only a request counts as an attempt', async () => {
  await path.endpoint(slow.url, type);
  // 64 requests to one destination are the most that a worker makes at a time; 16, once none of them is answered.
  const sent = await Promise.all(Array.from({ length: 70 }, () => path.send(type)));
  await slow.waitFor(16);
  const others = await path.sendTo(fast.url);
  await path.untilState(others.ref, 'delivered');
  const held = () => path.events.countDocuments({ type, 'destinations.held_for': { $in: ['at_cap', 'hanging'] } });
  await eventually(
    async () => slow.requests.length + (await held()),
    (count) => count >= 70,
  );
  expect(slow.requests.length).toBeLessThanOrEqual(64);

  answer();
  // Two requests for a delivery are right on a machine so slow that the first one timed out.
  for (const { ref, id } of sent) {
    const { attempt_count: attempts } = await path.lookUntil(ref, 'delivered');
    expect(attempts).toBe(receivedIds(slow).filter((received) => received === id).length);
  }
});
