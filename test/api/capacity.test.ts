import { createCapacityStore } from '../../src/stores/capacity-store';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const stack = useStack({ role: 'api' });

/** The value of each metric without labels. */
async function scrape(): Promise<Map<string, number>> {
  const text = await (await fetch(stack.role.metricsUrl!)).text();
  return new Map(
    [...text.matchAll(/^(everpost_mongodb_\w+) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)]),
  );
}

it('exports how much of its disk MongoDB uses', async () => {
  const metrics = await eventually(scrape, (now) => now.has('everpost_mongodb_disk_used_bytes'));

  const [used, size] = ['used', 'size'].map((which) => metrics.get(`everpost_mongodb_disk_${which}_bytes`)!);
  expect(used).toBeGreaterThan(0);
  expect(size).toBeGreaterThan(used!);
  expect(metrics.get('everpost_mongodb_index_bytes')).toBeGreaterThan(0);
  expect(metrics.get('everpost_mongodb_cache_pages_requested_total')).toBeGreaterThanOrEqual(0);
  expect(metrics.get('everpost_mongodb_cache_pages_read_total')).toBeGreaterThanOrEqual(0);
});

it('counts the pages of indexes that are looked up', async () => {
  const store = createCapacityStore(stack.mongo.db);
  const before = await store.read();
  const keys = stack.mongo.db.collection<{ _id: string }>('idempotency_keys');
  await keys.insertMany(Array.from({ length: 100 }, (_, index) => ({ _id: `acc_none:${index}` })));
  await keys.findOne({ _id: 'acc_none:50' });

  expect((await store.read()).pagesRequested).toBeGreaterThan(before.pagesRequested);
});

it('counts connections in use, and operations that wait for one', async () => {
  const { db, pool } = stack.mongo;
  const answers = Array.from({ length: 1_000 }, () => db.command({ ping: 1 }));
  const busy = await eventually(
    () => Promise.resolve(pool()),
    ({ waiting }) => waiting > 0,
  );
  await Promise.allSettled(answers);

  expect(busy.inUse).toBeLessThanOrEqual(50);
  expect(
    await eventually(
      () => Promise.resolve(pool()),
      ({ inUse }) => inUse === 0,
    ),
  ).toEqual({ inUse: 0, waiting: 0 });
});
