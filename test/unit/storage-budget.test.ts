import { DEFAULT_TIERS, type Tier } from '../../src/domain/tiers';
import { createStorageBudget } from '../../src/limits/storage-budget';

const NOON = new Date('2026-11-21T12:00:00Z');
const NEXT_DAY = new Date('2026-11-22T00:00:00Z');
const MOST = 10_000_000;
const MIB = 1_048_576;

function build(storedBytesPerDay: number | null = MOST) {
  const sums = new Map<string, number>();
  let calls = 0;
  const [free] = DEFAULT_TIERS as [Tier];
  const deps = {
    stored: {
      async add(accountId: string, day: string, bytes: number): Promise<number> {
        calls += 1;
        sums.set(`${accountId}/${day}`, (sums.get(`${accountId}/${day}`) ?? 0) + bytes);
        return sums.get(`${accountId}/${day}`)!;
      },
    },
    tiers: { of: async () => ({ ...free, storedBytesPerDay }) },
  };
  return { budget: createStorageBudget(deps), other: createStorageBudget(deps), sums, calls: () => calls };
}

it('a day has room for so many bytes of an account, and for no more until the next day', async () => {
  const { budget } = build();
  for (let index = 0; index < 9; index += 1) await budget.take('acc_1', MIB, NOON);
  await expect(budget.take('acc_1', MIB, NOON)).rejects.toMatchObject({
    code: 'storage_budget_exceeded',
    retryAfterSeconds: 43_200,
    fields: { storage_limit: MOST, reset_at: NEXT_DAY.toISOString() },
  });
  await budget.take('acc_1', 1_000, NOON);
  await budget.take('acc_2', MIB, NOON);
  await budget.take('acc_1', MIB, NEXT_DAY);
});

it('processes share the day, as far as they have reported', async () => {
  const { budget, other } = build();
  for (let index = 0; index < 9; index += 1) await budget.take('acc_1', MIB, NOON);
  await expect(other.take('acc_1', MIB, NOON)).rejects.toMatchObject({ code: 'storage_budget_exceeded' });
});

it('small events cost no command each', async () => {
  const { budget, calls } = build();
  for (let index = 0; index < 1_000; index += 1) await budget.take('acc_1', 100, NOON);
  expect(calls()).toBeLessThan(5);
});

it('an event that is not stored does not count', async () => {
  const { budget } = build();
  for (let index = 0; index < 100; index += 1) {
    await expect(budget.take('acc_1', MIB, NOON)).resolves.not.toThrow();
    await budget.giveBack('acc_1', MIB);
  }
});

it('a tier without such a limit costs nothing', async () => {
  const { budget, calls } = build(null);
  await budget.take('acc_1', 1e12, NOON);
  await budget.giveBack('acc_1', 1e12);
  expect(calls()).toBe(0);
});
