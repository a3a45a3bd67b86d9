import type { Collection } from 'mongodb';
import { attemptId } from '../../src/stores/attempt-store';
import { createDeliveryBudgetStore } from '../../src/limits/delivery-budget-store';
import { createLimitStore } from '../../src/limits/limit-store';
import { createReplay } from '../../src/replays/replay-jobs';
import { createNoticeStore } from '../../src/alerts/notice-store';
import { buildAttempt, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// mongod's clock is set back by an hour: times written before are an hour ahead. Nothing may wait that long for a dead
// process.

const path = useDataPath();
const receiver = useReceiver();
beforeAll(() => path.worker());

const HOUR_MS = 3_600_000;
const LEASE_MS = 15_000;
const DEAD = 'a process that died';

const collection = (name: string): Collection<{ _id: string }> => path.mongo.db.collection(name);

/** These times of a document were written an hour later, by the clock as it is now. */
async function setBack(where: string, id: unknown, fields: readonly string[]): Promise<void> {
  const later = fields.map((field) => [field, { $add: [`$${field}`, HOUR_MS] }]);
  const { modifiedCount } = await collection(where).updateOne({ _id: id as string }, [
    { $set: Object.fromEntries(later) },
  ]);
  expect(modifiedCount).toBe(1);
}

/** Those of an event's only destination. */
async function setDestinationBack(eventId: number, fields: readonly string[]): Promise<void> {
  const [it] = (await path.event(eventId)).destinations;
  const times = it as unknown as Record<string, Date>;
  const later = fields.map((field) => [`destinations.0.${field}`, new Date(times[field]!.getTime() + HOUR_MS)]);
  await path.events.updateOne({ _id: eventId }, { $set: Object.fromEntries(later) });
}

async function leftMs(where: string, id: string, field: string): Promise<number> {
  const [found] = await collection(where)
    .aggregate([{ $match: { _id: id } }, { $project: { left: { $subtract: [`$${field}`, '$$NOW'] } } }])
    .toArray();
  return Number(found!['left']);
}

it("a dead process's lease lasts one lease from the next look, not an hour", async () => {
  const { dispatch } = path.parts.stores;
  expect(await dispatch.holdLease('swept', DEAD, LEASE_MS)).toBe(true);
  await setBack('leases', 'swept', ['until']);

  // It may be alive.
  expect(await dispatch.holdLease('swept', 'another', LEASE_MS)).toBe(false);
  expect(await leftMs('leases', 'swept', 'until')).toBeLessThanOrEqual(LEASE_MS);

  await collection('leases').updateOne({ _id: 'swept' }, { $set: { until: new Date(0) } });
  expect(await dispatch.holdLease('swept', 'another', LEASE_MS)).toBe(true);
});

it('a dead process holds an ordered endpoint for one lease, not an hour, and its claim stays its own meanwhile', async () => {
  const { order } = path.parts.stores;
  expect(await order.take('ep_ordered', 'its attempt')).toBe(true);
  expect(await order.isFree('ep_ordered')).toBe(false);
  await setBack('ordered_endpoints', 'ep_ordered', ['until']);

  // The gate looks first, and then another attempt tries to take it.
  expect(await order.isFree('ep_ordered')).toBe(true);
  expect(await order.take('ep_ordered', 'another attempt')).toBe(false);
  expect(await leftMs('ordered_endpoints', 'ep_ordered', 'until')).toBeLessThanOrEqual(40_000);
});

it("a delivery in a dead process's express claim is delivered", async () => {
  const { ref } = await path.promiseTo(receiver.url);
  const now = await path.parts.stores.dispatch.now();
  await path.events.updateOne(
    { _id: ref.eventId },
    { $set: { 'destinations.0.claimed_by': DEAD, 'destinations.0.claimed_until': new Date(now.getTime() + 40_000) } },
  );
  // A live claim is left alone.
  await path.sweep();
  expect(await path.destination(ref)).toMatchObject({ dispatch: 'due', claimed_by: DEAD });

  await setDestinationBack(ref.eventId, ['claimed_until', 'next_attempt_at']);
  expect(await path.sweepUntil(ref, { state: 'delivered' })).toMatchObject({ dispatch: 'done', attempt_count: 1 });
});

it('an event that was never started is found after the grace period, and delivered', async () => {
  const { ref } = await path.promiseTo(receiver.url);
  await path.events.updateOne({ _id: ref.eventId }, { $inc: { timestamp: HOUR_MS / 1_000 } });
  await setDestinationBack(ref.eventId, ['next_attempt_at']);

  expect(await path.sweepUntil(ref, { state: 'delivered' })).toMatchObject({ dispatch: 'done', attempt_count: 1 });
});

it('a held delivery may be released', async () => {
  const { ref, endpointId } = await path.promiseTo(receiver.url);
  const { deliveries } = path.parts.stores;
  await deliveries.hold(ref, 'at_rate');
  await setDestinationBack(ref.eventId, ['look_at', 'held_at']);

  expect(await deliveries.nextHeld(endpointId, 1)).toEqual([expect.objectContaining(ref)]);
});

it('the next turn of a rate is now', async () => {
  const { rates } = path.parts.stores;
  for (let turn = 0; turn < 2; turn += 1) await rates.takeTurn('ep_rated', 1, 5_000);
  await collection('rates').updateOne({ _id: 'ep_rated' }, [
    { $set: { next_turn: { $add: ['$next_turn', HOUR_MS] }, touched_at: { $add: ['$touched_at', HOUR_MS] } } },
  ]);

  expect(await rates.untilNextTurn('ep_rated')).toBe(0);
  expect(await rates.takeTurn('ep_rated', 1, 5_000)).toBe(0);
  expect(await rates.takeTurn('ep_rated', 1, 5_000)).toBeGreaterThan(0);
});

it('an attempt claimed by a dead process is not under way for an hour', async () => {
  const { ref } = await path.promiseTo(receiver.url);
  const { deliveries } = path.parts.stores;
  const attempt = buildAttempt(ref);
  await deliveries.claim(attempt, DEAD);
  // From here on its end is on the wall clock.
  await deliveries.claim(attempt, 'another');
  expect(await deliveries.isUnderWay(attempt)).toBe(true);
  await setBack('attempts', attemptId(attempt), ['lease_until']);

  expect(await deliveries.isUnderWay(attempt)).toBe(false);
  expect(await deliveries.claim(attempt, 'another')).toMatchObject({ kind: 'taken' });
  expect(await deliveries.isUnderWay(attempt)).toBe(true);
});

it('a bulk replay of a dead process continues', async () => {
  const { replays } = path.parts.stores;
  const now = await path.parts.stores.dispatch.now();
  const { _id } = await createReplay(
    path.parts.stores,
    { accountId: path.accountId, now },
    { state: 'failed', ratePerSecond: 10 },
  );
  expect(await replays.claim(DEAD, LEASE_MS)).toMatchObject({ _id });
  expect(await replays.claim('another', LEASE_MS)).toBeNull();
  await setBack('replays', _id, ['due_at']);

  expect(await replays.claim('another', LEASE_MS)).toMatchObject({ _id, claimed_by: 'another' });
});

it('a used-up minute of calls is over', async () => {
  const limits = createLimitStore(path.mongo.db, path.config.limits.tiers);
  await limits.admit(path.accountId, 1);
  await collection('accounts').updateOne({ _id: path.accountId }, { $set: { 'limits.window_used': 1_000_000 } });
  expect(await limits.admit(path.accountId, 1)).toMatchObject({ admitted: 0 });
  await setBack('accounts', path.accountId, ['limits.window_started_at']);

  expect(await limits.admit(path.accountId, 1)).toMatchObject({ admitted: 1 });
});

it('used-up tries to sign in are over', async () => {
  const { tries } = path.parts.stores;
  const limit = { tries: 1, windowMs: 900_000 };
  await tries.count('here', limit);
  expect(await tries.count('here', limit)).toBeGreaterThan(0);
  const [{ _id } = { _id: '' }] = await collection('sign_in_tries').find().toArray();
  await setBack('sign_in_tries', _id, ['ends_at', 'tried_at']);

  expect(await tries.count('here', limit)).toBe(0);
});

it('a notice that a dead process claimed and did not tell is told', async () => {
  const notices = createNoticeStore(path.mongo.db);
  await notices.add([{ _id: 'log/1', channel: 'log', account_id: path.accountId }]);
  expect(await notices.claim('log', DEAD)).toMatchObject([{ _id: 'log/1' }]);
  expect(await notices.claim('log', 'another')).toEqual([]);
  await setBack('notices', 'log/1', ['claimed_until']);

  expect(await notices.claim('log', 'another')).toMatchObject([{ _id: 'log/1' }]);
});

it('the unfinished deliveries of an account are counted again at once', async () => {
  const budget = createDeliveryBudgetStore(path.mongo.db, path.config.limits.tiers);
  const standing = () => budget.charge(path.accountId, { count: 0, of: 'whole', areNew: false });
  await collection('accounts').updateOne(
    { _id: path.accountId },
    { $set: { 'deliveries.total': 9, 'deliveries.pending_base': 0 } },
  );
  await path.promiseTo(receiver.url);
  const pending = await path.events.countDocuments({ account_id: path.accountId, unfinished: { $gt: 0 } });
  await collection('accounts').updateOne({ _id: path.accountId }, [
    { $set: { 'deliveries.count_again_at': { $add: ['$$NOW', 20_000] } } },
  ]);
  expect(await budget.countPending(path.accountId, 10)).toBe(false);
  expect(await standing()).toMatchObject({ pendingAtMost: 9, countAgainAt: expect.any(Date) });
  await setBack('accounts', path.accountId, ['deliveries.count_again_at']);

  expect(await standing()).toMatchObject({ pendingAtMost: 9, countAgainAt: null });
  expect(await budget.countPending(path.accountId, 10)).toBe(true);
  expect(await standing()).toMatchObject({ pendingAtMost: pending });
});
