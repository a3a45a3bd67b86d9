import { Timestamp } from 'mongodb';
import type { DeliveryRef } from '../../src/domain/delivery-contract';
import { ON_TIME_MS } from '../../src/domain/retention';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// MongoDB removes each document at its `expires_at`. An event's attempts are removed with it, and never before it.

const path = useDataPath();
const receiver = useReceiver();
const another = useReceiver();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const always = () => Promise.resolve(true);

/** As if this much time had passed since everything that is stored about an event. */
async function pass(eventId: number, ms: number): Promise<void> {
  const earlier = (field: string) => ({ $subtract: [field, ms] });
  const { accepted_at: at } = await path.event(eventId);
  await path.events.updateOne({ _id: eventId }, [
    {
      $set: {
        timestamp: { $subtract: ['$timestamp', Math.round(ms / 1_000)] },
        accepted_at: new Timestamp({ t: at.t - Math.round(ms / 1_000), i: 1 }),
        finished_at: earlier('$finished_at'),
        expires_at: { $cond: [{ $gt: ['$expires_at', null] }, earlier('$expires_at'), '$$REMOVE'] },
      },
    },
  ]);
  await path.attempts.updateMany({ event_id: eventId }, [{ $set: { expires_at: earlier('$expires_at') } }]);
}

/** When the event expires, if it is finished, and when the first and the last of its attempts do. */
async function expiriesOf(eventId: number) {
  const event = await path.event(eventId);
  const attempts = await path.history(eventId);
  const times = attempts.map(({ expires_at: at }) => at!.getTime());
  return { event: event.expires_at?.getTime(), first: Math.min(...times), last: Math.max(...times) };
}

/** Expects that the event is finished, and that its attempts expire with it: not before it, and within `ON_TIME_MS`. */
async function expectTogether(eventId: number, retentionMs = path.config.retentionMs): Promise<void> {
  const { finished_at: finishedAt, expires_at: expiresAt } = await path.event(eventId);
  expect(expiresAt).toEqual(new Date(finishedAt!.getTime() + retentionMs));
  const { event, first, last } = await expiriesOf(eventId);
  expect(first).toBeGreaterThanOrEqual(event!);
  // A late event's attempts are kept from then on as long as if it had finished at the latest time that was foreseen.
  expect(last).toBeLessThanOrEqual(event! + 2 * ON_TIME_MS);
}

/** Makes an attempt, which the receiver answers with this status. */
async function attempt(ref: DeliveryRef, status: number, more: Parameters<typeof buildAttempt>[1] = {}): Promise<void> {
  receiver.answerWith(status);
  const outcome = await path.executor().attemptDelivery(buildAttempt(ref, more));
  expect(outcome).toMatchObject({ kind: 'answered', statusCode: status });
}

it("an event's attempts expire with it: at once delivered, retried, failed", async () => {
  const [delivered, retried, failed] = await Promise.all([1, 2, 3].map(() => path.promiseTo(receiver.url)));
  await attempt(delivered!.ref, 200);
  await attempt(retried!.ref, 500);
  await attempt(failed!.ref, 500);
  expect(await path.event(retried!.id)).not.toHaveProperty('expires_at');
  await pass(retried!.id, 26 * HOUR_MS);
  await pass(failed!.id, 26 * HOUR_MS);
  await attempt(retried!.ref, 200, { number: 2 });
  await attempt(failed!.ref, 500, { number: 2, nextDelayMs: null });

  for (const { id } of [delivered!, retried!, failed!]) await expectTogether(id);
});

it('an event with a shorter retention expires sooner, and its attempts with it', async () => {
  const retentionMs = 2 * DAY_MS;
  const type = ownType();
  await path.endpoint(receiver.url, type);
  const { id, ref } = await path.promise(type, { deps: { retentionMs } });
  await attempt(ref, 500);
  await attempt(ref, 200, { number: 2 });

  await expectTogether(id, retentionMs);
});

it('an event on time costs no write for the attempts that it has: they have one expiry', async () => {
  const { ref, id } = await path.promiseTo(receiver.url);
  await attempt(ref, 500);
  await attempt(ref, 500, { number: 2 });
  await attempt(ref, 200, { number: 3 });

  const { first, last } = await expiriesOf(id);
  expect(first).toBe(last);
});

it('an event without destinations expires so long after it was accepted', async () => {
  const { id, timestamp } = await path.promise('nobody.wants.it');
  expect((await path.event(id)).expires_at).toEqual(new Date(timestamp * 1_000 + path.config.retentionMs));
});

it('an event that is held for two retention periods keeps its attempts', async () => {
  const { ref, id } = await path.promiseTo(receiver.url);
  await attempt(ref, 500);
  await path.parts.stores.deliveries.hold(ref, 'paused');

  for (let day = 0; day < 60; day += 1) {
    await pass(id, DAY_MS);
    await path.parts.stores.retention.keepHeld(new Date(Date.now() - ON_TIME_MS), always);
    expect((await expiriesOf(id)).first).toBeGreaterThan(Date.now());
  }
  await attempt(ref, 200, { number: 2 });

  await expectTogether(id);
});

it.each(['one', 'many'])('an event that is replayed in its last hour keeps its attempts: %s', async (how) => {
  const { deliveries } = path.parts.stores;
  const { ref, id } = await path.promiseTo(receiver.url);
  await attempt(ref, 500, { nextDelayMs: null });
  await pass(id, path.config.retentionMs - HOUR_MS);

  if (how === 'one') await deliveries.replay(ref);
  else await deliveries.replayAll([ref], 'a-job');
  expect(await path.event(id)).not.toHaveProperty('expires_at');
  await pass(id, ON_TIME_MS - HOUR_MS);
  expect((await expiriesOf(id)).first).toBeGreaterThan(Date.now());
  await attempt({ ...ref, run: 2 }, 200);

  await expectTogether(id);
  expect(await path.history(id)).toHaveLength(2);
});

it('an event that gets one more destination in its last hour keeps its attempts', async () => {
  const { ref, id } = await path.promiseTo(receiver.url);
  await attempt(ref, 200);
  await pass(id, path.config.retentionMs - HOUR_MS);
  const [before] = (await path.event(id)).destinations;
  const added = { ...before!, endpoint_id: 'ep_added', state: 'pending', attempt_count: 0 } as const;

  await path.parts.stores.deliveries.add(id, { ...added, completed_at: null, dispatch: 'due' });
  await pass(id, HOUR_MS);
  await path.parts.stores.deliveries.cancel({ ...ref, endpointId: 'ep_added' });

  await expectTogether(id);
});

it.each(['one', 'all of an endpoint'])(
  'an event whose delivery is cancelled late keeps its attempts: %s',
  async (how) => {
    const { deliveries } = path.parts.stores;
    const type = ownType();
    for (const { url } of [receiver, another]) await path.endpoint(url, type);
    const { id, starts } = await path.promise(type);
    const [one, other] = starts.map(({ ref }) => ref);
    await path.executor().attemptDelivery(buildAttempt(one!));
    await pass(id, 20 * DAY_MS);

    if (how === 'one') await deliveries.cancel(other!);
    else await deliveries.cancelAllOf({ accountId: path.accountId, endpointId: other!.endpointId });

    await expectTogether(id);
  },
);

it("an endpoint's own schedule may be longer than a retention period", async () => {
  const { ref, id } = await path.promiseTo(receiver.url);
  const nextDelayMs = 7 * DAY_MS;
  for (let number = 1; number <= 10; number += 1) {
    await attempt(ref, 500, { number, nextDelayMs });
    await pass(id, nextDelayMs);
    expect((await expiriesOf(id)).first).toBeGreaterThan(Date.now());
  }
  await attempt(ref, 500, { number: 11, nextDelayMs: null });

  await expectTogether(id);
  expect(await path.history(id)).toHaveLength(11);
});

it('a process that dies between the answer and the state leaves attempts that expire with their event', async () => {
  const { ref, id } = await path.promiseTo(receiver.url);
  await attempt(ref, 200);
  const isPending = { 'destinations.0.state': 'pending', 'destinations.0.attempt_count': 0 };
  await path.events.updateOne({ _id: id }, { $set: { ...isPending, finished_at: null }, $unset: { expires_at: '' } });
  await pass(id, 10 * DAY_MS);

  // It finds the recorded answer.
  await attempt(ref, 200);

  expect(await path.history(id)).toHaveLength(1);
  await expectTogether(id);
});

it('a claim whose process died expires, and not before the attempt can be claimed again', async () => {
  const { ref, id } = await path.promiseTo(receiver.url);
  await path.parts.stores.deliveries.claim(buildAttempt(ref), 'a process that died');
  const claim = await path.attempts.findOne({ event_id: id });
  expect(claim!.expires_at!.getTime()).toBeGreaterThan(Date.now() + path.config.retentionMs);
});

it('an event with an idempotency key is never gone before its key, however short its retention is', async () => {
  const deps = { retentionMs: 2 * DAY_MS };
  const { id } = await path.promise('nobody.wants.it', { idempotencyKey: 'short', deps });
  const key = await path.mongo.db
    .collection<{ _id: string; expires_at: Date }>('idempotency_keys')
    .findOne({ _id: `${path.accountId}:short` });
  expect((await path.event(id)).expires_at!.getTime()).toBeGreaterThan(key!.expires_at.getTime() + 12 * HOUR_MS);
});
