import { buildStranger, newEmail, signedUp, useDashboardStack } from '../dashboard/browser';
import { followLive } from '../dashboard/follow-live';
import { apiClient } from '../support/api-client';
import { eventually } from '../support/eventually';

/** At most one message of live changes in that time. */
const GATHER_MS = 300;

const stack = useDashboardStack({ role: 'api' });

it('a burst of changes becomes few messages of a live stream', async () => {
  const { browser, accountId } = await signedUp(stack);
  const { key } = (await browser.post('/keys', { product: 'weh', label: 'live' })).body;
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: accountId }, { $set: { tier: 'enterprise' } });
  const stream = await followLive(browser, stack.url);
  await stream.ready();

  const startedAt = performance.now();
  const api = apiClient(stack.url, String(key));
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => api.post('/api/v1/webhooks/events', { type: 'order.created', data: {} })),
  );
  const ids = answers.map(({ body }) => body.id as number);
  await eventually(
    () => stream.changed('events'),
    (changed) => ids.every((id) => changed.includes(id)),
  );
  const tookMs = performance.now() - startedAt;
  stream.close();

  expect(stream.messages().length).toBeLessThanOrEqual(2 + tookMs / GATHER_MS);
});

it('a sign-in takes as long for an unknown email address as for a wrong password', async () => {
  const { email } = await signedUp(stack);
  const computedMs = async (address: string): Promise<number> => {
    const before = process.cpuUsage();
    await buildStranger(stack).post('/sign-in', { email: address, password: 'not-this-one-at-all' });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const known: number[] = [];
  const unknown: number[] = [];

  for (let count = 0; count < 9; count += 1) {
    known.push(await computedMs(email));
    unknown.push(await computedMs(newEmail()));
  }

  const median = (times: number[]): number => times.toSorted((a, b) => a - b)[4]!;
  const ratio = median(unknown) / median(known);
  // Without a hash in both, the one would take a tenth of the other.
  expect(ratio).toBeGreaterThan(0.3);
  expect(ratio).toBeLessThan(3);
});
