import { buildCaller } from '../support/build-caller';
import { buildReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

const RECEIVERS_THAT_HANG = 5;
/** More deliveries than these receivers have slots (64 each), and few enough to start within the 30 s of a request. */
const EVENTS = 100;

const stack = useStack();
const healthy = useFixture('file', buildReceiver, (it) => it.close());
const hanging = useFixture(
  'file',
  async () => {
    let answer = (): void => undefined;
    const answered = new Promise<number>((resolve) => (answer = () => resolve(200)));
    const receivers = await Promise.all(
      Array.from({ length: RECEIVERS_THAT_HANG }, () => buildReceiver(() => answered)),
    );
    return { receivers, answer };
  },
  ({ receivers }) => Promise.all(receivers.map((it) => it.close())),
);

it("a tenant with five hundred deliveries to hanging receivers doesn't delay another tenant's deliveries", async () => {
  const noisy = await buildCaller(stack, { tier: 'business' });
  for (const { url } of hanging.receivers) await noisy.register({ url });
  const quiet = await buildCaller(stack, { tier: 'business' });
  await quiet.register({ url: healthy.url });
  const events = Array.from({ length: EVENTS }, (_, n) => ({ type: 'order.created', data: { n } }));
  await noisy.post('/api/v1/webhooks/events/batch', { events });
  // It is loud enough: every receiver that hangs has requests under way.
  await eventually(
    () => hanging.receivers.map(({ requests }) => requests.length),
    (counts) => counts.every((count) => count > 4),
  );

  for (let n = 0; n < 20; n += 1) await quiet.ingest({ data: { n } });
  await healthy.waitFor(20);

  // Nothing made room for them: none of the hanging requests has ended, and most deliveries still wait for a slot.
  const attempts = stack.mongo.db.collection('attempts');
  const ended = { account_id: noisy.accountId, answer: { $exists: true, $ne: null } };
  expect(await attempts.countDocuments(ended)).toBe(0);
  const begun = hanging.receivers.reduce((sum, { requests }) => sum + requests.length, 0);
  expect(begun).toBeLessThan(EVENTS * RECEIVERS_THAT_HANG);
  hanging.answer();
});
