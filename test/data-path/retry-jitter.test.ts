import { jitteredDelay } from '../../src/domain/retry-jitter';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// The wait after a failed attempt: by the endpoint's share, else by that of `RETRY_JITTER`.

const HOUR_MS = 3_600_000;

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,1h,1h', RETRY_JITTER: '0.2' } });
const receiver = useReceiver(503);

/** Makes attempt 1. @returns the wait that it answers with, and that of `RETRY_JITTER` */
async function attemptFirst(options: object, nextDelayMs: number | null = HOUR_MS) {
  const type = ownType();
  await path.endpoint(receiver.url, type, options);
  const { ref } = await path.promise(type);
  const outcome = await path.executor().attemptDelivery(buildAttempt(ref, { nextDelayMs }));
  const byShare = (share: number) => jitteredDelay(HOUR_MS, share, { ...ref, number: 1 });
  return { ref, outcome, byShare };
}

it.each([
  ['that of the installation', {}, 0.2],
  ["the endpoint's own", { retry_jitter: 0.5 }, 0.5],
])('the share is %s; the next attempt is shown, and waited for, at that time', async (_whose, options, share) => {
  const { ref, outcome, byShare } = await attemptFirst(options);

  const delayMs = byShare(share);
  expect(delayMs).toBeGreaterThan(HOUR_MS);
  expect(outcome).toMatchObject({ succeeded: false, nextDelayMs: delayMs });
  const { next_attempt_at: at, state } = await path.destination(ref);
  const { answer } = (await path.history(ref.eventId))[0]!;
  expect([state, answer.next_delay_ms]).toEqual(['retrying', delayMs]);
  expect(at!.getTime()).toBeGreaterThanOrEqual(answer.started_at.getTime() + delayMs);
});

it('a share of 0 leaves the delays of the schedule as they are, and so does the last attempt', async () => {
  expect((await attemptFirst({ retry_jitter: 0 })).outcome).not.toHaveProperty('nextDelayMs');
  expect((await attemptFirst({}, null)).outcome).not.toHaveProperty('nextDelayMs');
});

it('the same attempt has the same wait when it is made again, by another process too', async () => {
  const { ref, outcome } = await attemptFirst({});
  const again = await path.executor().attemptDelivery(buildAttempt(ref, { nextDelayMs: HOUR_MS }));
  expect(again).toEqual(outcome);
});
