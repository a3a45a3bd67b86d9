import { createBacklogStore } from '../../src/stores/backlog-store';
import { buildAttempt, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// What the metrics say about deliveries that are late, and about those that failed.

const path = useDataPath();
const receiver = useReceiver();

const lateness = () => createBacklogStore(path.mongo.db).lateness(new Date());

it('only deliveries whose next attempt is due are late, by the age of the oldest', async () => {
  const before = await lateness();
  const [due, waiting, held] = [1, 2, 3].map(() => path.promiseTo(receiver.url));
  const change = async (promised: typeof due, at: Date | null, dispatch: string): Promise<void> => {
    const set = { 'destinations.0.next_attempt_at': at, 'destinations.0.dispatch': dispatch };
    await path.events.updateOne({ _id: (await promised!).ref.eventId }, { $set: set as object });
  };
  await change(due, new Date(Date.now() - 600_000), 'due');
  await change(waiting, new Date(Date.now() + 600_000), 'done');
  await change(held, null, 'held');

  const now = await lateness();

  expect(now.due).toBe(before.due + 1);
  expect(Math.round(now.oldestSeconds / 60)).toBe(10);
});

it('a delivery counts as failed once, when its last attempt fails', async () => {
  receiver.answerWith(500);
  const { ref } = await path.promiseTo(receiver.url);
  const counted = async () => (await path.parts.metrics.exhaustedDeliveries.get()).values[0]?.value ?? 0;
  const worker = path.executor();
  const before = await counted();

  await worker.attemptDelivery(buildAttempt(ref, { nextDelayMs: 1_000 }));
  expect(await counted()).toBe(before);
  const last = buildAttempt(ref, { number: 2, nextDelayMs: null });
  await worker.attemptDelivery(last);
  // Temporal runs it again after a crash: the answer is recorded already.
  await worker.attemptDelivery(last);

  expect(await counted()).toBe(before + 1);
});
