import { createDestinationCap } from '../../activities/destination-cap';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// A receiver that takes long holds no workflow task: its attempt goes on by itself, and a later call gets the answer.

let path: DataPath;
let slow: Receiver;
let answer: (status: number) => void;
let type: string;

beforeEach(async () => {
  path = await buildDataPath();
  const answered = new Promise<number>((resolve) => (answer = resolve));
  slow = await buildReceiver(() => answered);
  type = `slow.t${Math.random().toString(36).slice(2)}`;
});

afterEach(async () => {
  answer(200);
  await slow.close();
  await path.close();
});

test('a first try gives up waiting after a second; the call that follows gets the same answer', async () => {
  await path.endpoint(slow.url, type);
  const worker = path.executor();
  const attempt = buildAttempt((await path.promise(type)).ref);

  const startedAt = performance.now();
  expect(await worker.attemptDelivery({ ...attempt, inline: true })).toEqual({ kind: 'busy' });
  const waitedMs = performance.now() - startedAt;
  expect(waitedMs).toBeGreaterThan(950);
  expect(waitedMs).toBeLessThan(10_000);

  const later = worker.attemptDelivery(attempt);
  answer(503);
  expect(await later).toMatchObject({ kind: 'answered', number: 1, statusCode: 503, recorded: true });
  expect(slow.requests).toHaveLength(1);
  expect(await path.destination(attempt)).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

test('another process finds the answer in MongoDB', async () => {
  await path.endpoint(slow.url, type);
  const attempt = buildAttempt((await path.promise(type)).ref);
  await path.executor().attemptDelivery({ ...attempt, inline: true });
  const other = path.executor();
  expect(await other.attemptDelivery(attempt)).toEqual({ kind: 'busy' });

  answer(200);

  await eventually(
    () => other.attemptDelivery(attempt),
    (outcome) => outcome.kind === 'answered',
  );
  expect(slow.requests).toHaveLength(1);
});

test('the answer gets into MongoDB although it could not be written when it came, and nobody waited for it', async () => {
  await path.endpoint(slow.url, type);
  const attempt = buildAttempt((await path.promise(type)).ref);
  const { deliveries } = path.parts.stores;
  let away = true;
  const record: typeof deliveries.record = (input, given) =>
    away ? Promise.reject(new Error('MongoDB is away')) : deliveries.record(input, given);
  const worker = path.executor({ deliveries: { ...deliveries, record } });
  expect(await worker.attemptDelivery({ ...attempt, inline: true })).toEqual({ kind: 'busy' });

  answer(200);
  await slow.waitFor(1);
  away = false;

  await eventually(
    () => path.destination(attempt),
    ({ state }) => state === 'delivered',
  );
  expect(slow.requests).toHaveLength(1);
});

test('an endpoint that is slow again and again is known as slow before it answered once', async () => {
  const id = await path.endpoint(slow.url, type);
  const worker = path.executor();
  const attempts = await Promise.all(
    Array.from({ length: 6 }, async () => buildAttempt((await path.promise(type)).ref)),
  );
  expect(path.parts.slowEndpoints.routeOf(id)).toBe('inline');

  await Promise.all(attempts.map((attempt) => worker.attemptDelivery({ ...attempt, inline: true })));

  expect(path.parts.slowEndpoints.routeOf(id)).toBe('queued');
});

test('a database that takes a second is not held against the receiver, and the attempt is not left for it', async () => {
  const id = await path.endpoint(slow.url, type);
  answer(200);
  const { deliveries } = path.parts.stores;
  const claim: typeof deliveries.claim = async (...args) => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    return deliveries.claim(...args);
  };
  const worker = path.executor({ deliveries: { ...deliveries, claim } });
  const attempts = await Promise.all(
    Array.from({ length: 6 }, async () => buildAttempt((await path.promise(type)).ref)),
  );

  const outcomes = await Promise.all(attempts.map((attempt) => worker.attemptDelivery({ ...attempt, inline: true })));

  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('answered'));
  expect(path.parts.slowEndpoints.routeOf(id)).toBe('inline');
});

test('an endpoint that answers nothing while more wait is known to hang in every process, until it answers', async () => {
  const id = await path.endpoint(slow.url, type);
  const other = await buildDataPath({ of: path });
  try {
    const worker = path.executor({ cap: createDestinationCap(4) });
    const attempts = await Promise.all([1, 2, 3].map(async () => buildAttempt((await path.promise(type)).ref)));
    const first = worker.attemptDelivery(attempts[0]!);
    await slow.waitFor(1);
    expect(path.parts.slowEndpoints.hangs(id)).toBe(false);

    // After two seconds of silence the next one is turned away, and says so.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await worker.attemptDelivery(attempts[1]!)).kind).toBe('busy');
    expect(path.parts.slowEndpoints.hangs(id)).toBe(true);
    await eventually(
      () => Promise.resolve(other.parts.slowEndpoints.hangs(id)),
      (hangs) => hangs,
    );
    expect(slow.requests).toHaveLength(1);

    answer(200);
    await first;
    expect((await worker.attemptDelivery(attempts[2]!)).kind).toBe('answered');
    for (const each of [path, other]) {
      await eventually(
        () => Promise.resolve(each.parts.slowEndpoints.hangs(id)),
        (hangs) => !hangs,
      );
    }
  } finally {
    await other.close();
  }
});
