import { attemptId } from '../../src/stores/attempt-store';
import type { AttemptInput } from '../../src/domain/delivery-contract';
import { buildAttempt, useDataPath, type DataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// Rule 1: claim before POST. A claim keeps others away for its lease; then its attempt is made again, once.

const path = useDataPath();
const hasty = useDataPath({ of: path, env: { DELIVERY_TIMEOUT: '5s' } });
const receiver = useReceiver();

const DEAD = 'a worker that died';
const UNDER_WAY = { name: 'AttemptUnderWay' };

async function claimed(by: DataPath = path): Promise<AttemptInput> {
  const attempt = buildAttempt((await path.promiseTo(receiver.url)).ref);
  expect(await by.parts.stores.deliveries.claim(attempt, DEAD)).toEqual({ kind: 'claimed' });
  return attempt;
}

/** Makes the claim's lease be over. */
async function endLease(attempt: AttemptInput): Promise<void> {
  await path.attempts.updateOne({ _id: attemptId(attempt) }, { $set: { lease_until: new Date(0) } });
}

/** How long the database blocks other processes by a claim: known once a second process requests the attempt. */
async function leaseMs(attempt: AttemptInput, second: DataPath): Promise<number> {
  expect(await second.parts.stores.deliveries.claim(attempt, 'another')).toMatchObject({ kind: 'taken' });
  const claim = await path.attempts.findOne({ _id: attemptId(attempt) });
  return claim!.lease_until!.getTime() - claim!.claimed_at!.t * 1_000;
}

it("a dead worker's attempt is repeated when its lease ends, not before", async () => {
  const attempt = await claimed();
  const worker = path.executor();
  // It holds no slot meanwhile: Temporal retries.
  await expect(worker.attemptDelivery(attempt)).rejects.toMatchObject(UNDER_WAY);
  expect(receiver.requests).toHaveLength(0);
  await endLease(attempt);

  expect(await worker.attemptDelivery(attempt)).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(receiver.requests).toHaveLength(1);
  expect((await path.history(attempt.eventId))[0]!.claimed_by).not.toBe(DEAD);
});

it('of many workers that wait for a dead one, one takes over', async () => {
  const attempt = await claimed();
  const workers = Array.from({ length: 8 }, () => path.executor());
  const ask = () => Promise.allSettled(workers.map((worker) => worker.attemptDelivery(attempt)));
  expect(await ask()).toEqual(workers.map(() => ({ status: 'rejected', reason: expect.objectContaining(UNDER_WAY) })));
  await endLease(attempt);

  const answers = await eventually(ask, (outcomes) => outcomes.every(({ status }) => status === 'fulfilled'));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(receiver.requests).toHaveLength(1);
});

it("a worker that takes over a claim doesn't send a delivery cancelled meanwhile", async () => {
  const attempt = await claimed();
  const worker = path.executor();
  await expect(worker.attemptDelivery(attempt)).rejects.toMatchObject(UNDER_WAY);

  await path.parts.stores.deliveries.cancel(attempt);
  await endLease(attempt);

  expect(await worker.attemptDelivery(attempt)).toEqual({ kind: 'ended', state: 'cancelled' });
  expect(receiver.requests).toHaveLength(0);
});

describe('a claim lasts ten seconds longer than a receiver may take to answer', () => {
  it('40 s by default', async () => {
    expect(await leaseMs(await claimed(), path)).toBe(40_000);
  });

  it("shorter with a shorter DELIVERY_TIMEOUT, so a dead worker's attempts are repeated sooner", async () => {
    expect(await leaseMs(await claimed(hasty), hasty)).toBe(15_000);
  });

  it("by the timeout of the claim's owner, not of the worker that checks it", async () => {
    expect(await leaseMs(await claimed(path), hasty)).toBe(40_000);
    expect(await leaseMs(await claimed(hasty), path)).toBe(15_000);
  });

  it('also for a claim that was taken over', async () => {
    const attempt = await claimed();
    await endLease(attempt);
    expect(await hasty.parts.stores.deliveries.claim(attempt, 'two')).toEqual({ kind: 'claimed' });

    const claim = await path.parts.stores.deliveries.claim(attempt, 'three');

    expect(claim.kind === 'taken' && claim.forMs).toBeLessThanOrEqual(15_000);
  });
});
