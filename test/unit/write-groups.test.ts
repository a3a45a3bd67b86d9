import fc from 'fast-check';
import { createWriteGroup } from '../../src/platform/write-groups';

/** A group whose writes end when the test says so. */
function build(limits: Parameters<typeof createWriteGroup>[1]) {
  const groups: { items: readonly number[]; succeed(): void; fail(error: Error): void }[] = [];
  const write = (items: readonly number[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const succeed = (): void => resolve(items.map((item) => `wrote ${item}`));
      groups.push({ items, succeed, fail: reject });
    });
  return { groups, group: createWriteGroup(write, limits) };
}

async function settle(): Promise<void> {
  // Twice: what runs in this turn may schedule for the next.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

it.each([[[1]], [[1, 2, 3]]])('items of one turn of the event loop form one group: %j', async (items) => {
  const { groups, group } = build({ maxItems: 10, maxInFlight: 4 });
  for (const item of items) void group.add(item);
  await settle();
  expect(groups.map((one) => one.items)).toEqual([items]);
});

it('items that arrive while a group is in flight form the next group, in order', async () => {
  const { groups, group } = build({ maxItems: 10, maxInFlight: 1 });
  const first = group.add(1);
  await settle();
  const results = [first, ...[2, 3, 4].map((item) => group.add(item))];
  await settle();
  expect(groups).toHaveLength(1);

  groups[0]!.succeed();
  await settle();
  expect(groups.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  groups[1]!.succeed();

  expect(await Promise.all(results)).toEqual(['wrote 1', 'wrote 2', 'wrote 3', 'wrote 4']);
});

it('a caller gets an answer only after its own group is written', async () => {
  const { groups, group } = build({ maxItems: 1, maxInFlight: 2 });
  const answered: number[] = [];
  for (const item of [1, 2, 3]) void group.add(item).then(() => answered.push(item));
  await settle();

  groups[1]!.succeed();
  await settle();
  expect(answered).toEqual([2]);
  groups[0]!.succeed();
  await settle();
  expect(answered).toEqual([2, 1]);
  groups[2]!.succeed();
  await settle();
  expect(answered).toEqual([2, 1, 3]);
});

it('a failed write rejects its own group only, and the next group is written', async () => {
  const { groups, group } = build({ maxItems: 2, maxInFlight: 1 });
  const results = [1, 2, 3, 4, 5].map((item) => group.add(item));
  const settled = Promise.allSettled(results);
  await settle();

  groups[0]!.succeed();
  await settle();
  groups[1]!.fail(new Error('MongoDB is away'));
  await settle();
  groups[2]!.succeed();

  expect(
    (await settled).map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  ).toEqual(['wrote 1', 'wrote 2', 'Error: MongoDB is away', 'Error: MongoDB is away', 'wrote 5']);
});

it("an item without a result is rejected, and doesn't wait forever", async () => {
  const group = createWriteGroup(async () => [], { maxItems: 10, maxInFlight: 1 });
  await expect(group.add(1)).rejects.toThrow('a result for each item');
});

it("each caller gets its own item's result, in groups within the limits, and each item is written once", async () => {
  const options = fc.record({ maxItems: fc.integer({ min: 1, max: 5 }), maxInFlight: fc.integer({ min: 1, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ pause: fc.boolean(), fails: fc.boolean() }), { maxLength: 40 }),
      options,
      fc.scheduler(),
      async (callers, limits, scheduler) => {
        const written: number[] = [];
        const expected: string[] = [];
        let inFlight = 0;
        let mostInFlight = 0;
        let mostItems = 0;
        const write = async (items: readonly number[]): Promise<number[]> => {
          inFlight += 1;
          mostInFlight = Math.max(mostInFlight, inFlight);
          mostItems = Math.max(mostItems, items.length);
          written.push(...items);
          await scheduler.schedule(Promise.resolve());
          inFlight -= 1;
          const failing = items.find((item) => callers[item]!.fails);
          for (const item of items)
            expected[item] = failing === undefined ? `wrote ${item}` : `failed Error: ${failing}`;
          if (failing !== undefined) throw new Error(String(failing));
          return [...items];
        };
        const group = createWriteGroup(write, limits);
        const results: Promise<string>[] = [];
        for (const [item, { pause }] of callers.entries()) {
          results.push(
            group.add(item).then(
              (value) => `wrote ${value}`,
              (error: unknown) => `failed ${String(error)}`,
            ),
          );
          if (pause) await Promise.resolve();
        }
        expect(await scheduler.waitFor(Promise.all(results))).toEqual(expected);
        expect(written).toEqual(callers.map((_, item) => item));
        expect(mostItems).toBeLessThanOrEqual(limits.maxItems);
        expect(mostInFlight).toBeLessThanOrEqual(limits.maxInFlight);
      },
    ),
  );
});
