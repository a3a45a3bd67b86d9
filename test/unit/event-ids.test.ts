import { createEventIds } from '../../src/events/event-ids';

const BLOCK = 1_000;
/** Blocks begin with the microseconds of some day. */
const START = 1_795_262_400_000_000;

function build() {
  let blocks = 0;
  return createEventIds({ reserveIds: async (count) => START + count * (blocks += 1) });
}

async function take(ids: ReturnType<typeof build>, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) taken.push(await ids.next());
  return taken;
}

it('gives out no id twice, and all ids of a block', async () => {
  const taken = await take(build(), 5 * BLOCK);
  const expected = Array.from({ length: 5 * BLOCK }, (_, index) => START + BLOCK + index);
  expect([...taken].sort((one, other) => one - other)).toEqual(expected);
});

it("two ids of an account don't tell how many events of others came between them", async () => {
  // The mean distance of two ids is the same, whatever lies between; were they consecutive, it would be 1 and 500.
  const meanDistance = async (between: number): Promise<number> => {
    let sum = 0;
    for (let round = 0; round < 300; round += 1) {
      const ids = build();
      const [mine, ...others] = await take(ids, between + 2);
      sum += Math.abs(others.at(-1)! - mine!);
    }
    return sum / 300;
  };
  for (const between of [0, 17, 499]) {
    const mean = await meanDistance(between);
    expect(mean).toBeGreaterThan(BLOCK / 4);
    expect(mean).toBeLessThan(BLOCK / 2.4);
  }
});
