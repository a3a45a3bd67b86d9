import { attemptId, type StoredAnswer } from '../../src/stores/attempt-store';
import { buildAttempt, buildDataPath, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { useFixture } from '../support/fixture';

// The deletion of an account destroys its data key first, and nothing makes it another one.

const path = useDataPath();
const receiver = useReceiver();
/** A process that has no key in memory. */
const late = useFixture(
  'file',
  () => buildDataPath({ of: path }),
  (it) => it.close(),
);

it('an attempt that ends after the key was destroyed is recorded without what its receiver sent', async () => {
  receiver.answerWith(503);
  const attempt = buildAttempt((await path.promiseTo(receiver.url)).ref);
  await path.executor().attemptDelivery(attempt);
  const [first] = await path.history(attempt.eventId);
  const answer: StoredAnswer = { ...first!.answer, response_snippet: 'canary', response_headers: 'X-Echo: canary' };
  const event = await path.event(attempt.eventId);
  const keys = path.mongo.db.collection('data_keys');
  const ofAccount = { account_id: path.accountId };
  expect(await keys.deleteMany(ofAccount)).toMatchObject({ deletedCount: 1 });
  const accounts = path.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: path.accountId }, { $currentDate: { deleting_since: true } });

  const second = { ...attempt, number: 2 };
  await late.parts.stores.deliveries.record(second, answer, { event, isNew: false });

  const recorded = await path.attempts.findOne({ _id: attemptId(second) });
  expect(recorded!.answer).toMatchObject({ status_code: 503, response_snippet: null });
  expect(JSON.stringify(recorded)).not.toMatch(/canary|sealed/);
  expect(await keys.countDocuments(ofAccount)).toBe(0);
});
