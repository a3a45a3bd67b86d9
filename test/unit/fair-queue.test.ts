import { createFairQueue } from '../../src/engine/fair-queue';
import type { StartTask } from '../../src/engine/task';
import { buildStart } from '../support/build-start';
import { range, settle } from '../support/steps';

const SLOTS = 10;
const lighten = (task: StartTask): StartTask => ({ ...task, url: 'light' });

/** A queue whose work ends when the test says so. */
function build(options: Partial<Parameters<typeof createFairQueue<StartTask>>[0]> = {}) {
  const works: { readonly task: StartTask; leaveSlot(): void; end(): void }[] = [];
  const queue = createFairQueue<StartTask>({
    slots: SLOTS,
    work: (task, leaveSlot) => new Promise((resolve) => works.push({ task, leaveSlot, end: resolve })),
    ...options,
  });
  return {
    queue,
    /** All that were begun, in their order. */
    works,
    begun: () => works.map(({ task }) => task.ref.eventId),
    /** @returns those that were accepted */
    enqueue: (ids: readonly number[], endpointId = 'ep_test', accountId = 'one') =>
      ids.filter((eventId) => queue.enqueue(buildStart(eventId, { endpointId, accountId }))),
    has: (eventId: number, endpointId = 'ep_test', run = 1) => queue.has({ eventId, endpointId, run }),
    /** Ends the works from one to another, one after the other. */
    async end(from: number, to: number) {
      for (let at = from; at < to; at += 1) {
        works[at]!.end();
        await settle();
      }
    },
  };
}

it('a limited number is under way at a time; others follow in order as these end', async () => {
  const { queue, begun, enqueue, end } = build();
  enqueue(range(1, 50));
  expect([begun(), queue.size()]).toEqual([range(1, SLOTS), 40]);
  await end(0, 5);
  expect([begun(), queue.size()]).toEqual([range(1, 15), 35]);
});

it('a delivery is here until its work ends, and is not accepted twice meanwhile', async () => {
  const { begun, enqueue, end, has } = build();
  expect(enqueue(range(1, 12))).toEqual(range(1, 12));
  expect(enqueue(range(1, 12))).toEqual([]);
  // A replay is another run.
  expect([has(1), has(12), has(13), has(1, 'ep_test', 2)]).toEqual([true, true, false, false]);
  await end(0, 1);
  expect([has(1), enqueue([1])]).toEqual([false, [1]]);
  expect(begun()).toEqual(range(1, 11));
});

it('accounts take turns, however many endpoints they have, and so do the endpoints of an account', async () => {
  const { works, enqueue, end } = build();
  for (const id of range(1, 1_000)) enqueue([id], `ep_many_${id % 2}`, 'many');
  enqueue(range(1_001, 1_003), 'ep_quiet', 'many');
  enqueue(range(2_001, 2_100), 'ep_single', 'single');
  await end(0, 18);
  const order = works.slice(SLOTS).map(({ task }) => task.ref.endpointId);
  expect(order.filter((endpointId) => endpointId === 'ep_single')).toHaveLength(9);
  expect(order.filter((endpointId) => endpointId === 'ep_quiet')).toHaveLength(3);
});

it('a full queue refuses the noisiest account, and has room again when a work ends', async () => {
  const { queue, enqueue, end } = build({ lighten });
  expect(enqueue(range(1, 25_000))).toEqual(range(1, 20_000 + SLOTS));
  expect(queue.size()).toBe(20_000);
  await end(0, 1);
  expect(enqueue([25_000, 25_001])).toEqual([25_000]);
});

it("another account's delivery replaces the newest of the noisiest account's longest line", () => {
  const { queue, enqueue, has } = build();
  enqueue(range(1, 8_000 + SLOTS), 'ep_single', 'single');
  enqueue(range(10_001, 15_999), 'ep_short', 'noisy');
  enqueue(range(20_001, 26_001), 'ep_long', 'noisy');
  const waiting = () => ['ep_short', 'ep_long'].map((it) => queue.waitingFor({ accountId: 'noisy', endpointId: it }));
  expect([queue.size(), ...waiting()]).toEqual([20_000, 5_999, 6_001]);
  expect(enqueue([30_000], 'ep_quiet', 'quiet')).toEqual([30_000]);
  expect([queue.size(), ...waiting()]).toEqual([20_000, 5_999, 6_000]);
  expect([has(26_000, 'ep_long'), has(26_001, 'ep_long'), has(30_000, 'ep_quiet')]).toEqual([true, false, true]);
});

it('a freed slot skips endpoints at their limit, even if one has waited longer', async () => {
  const { queue, begun, enqueue, end } = build({ slotsPerEndpoint: 6 });
  enqueue(range(1, 20), 'ep_hanging');
  enqueue(range(101, 105), 'ep_other');
  expect(begun()).toEqual([...range(1, 6), ...range(101, 104)]);
  expect([queue.slotsOf('ep_hanging'), queue.slotsOf('ep_other')]).toEqual([6, 4]);
  await end(9, 10);
  expect(begun().slice(SLOTS)).toEqual([105]);
});

it('a work may leave its slot before it ends, which frees one slot', async () => {
  const { queue, works, begun, enqueue, end, has } = build();
  enqueue(range(1, 20));
  works[0]!.leaveSlot();
  works[0]!.leaveSlot();
  expect([begun(), has(1), queue.slotsOf('ep_test')]).toEqual([range(1, 11), true, SLOTS]);
  await end(0, 1);
  expect(begun()).toEqual(range(1, 11));
});

it('a work that keeps no slot leaves all of them to others', () => {
  const { begun, enqueue } = build({ keepsSlot: (endpointId) => endpointId !== 'ep_slow' });
  enqueue(range(1, 100), 'ep_slow');
  enqueue(range(101, 120));
  expect(begun()).toEqual(range(1, 100 + SLOTS));
});

it('as many waiting deliveries as there are slots keep their data; those behind them are lightened', async () => {
  const { works, enqueue, end } = build({ lighten });
  enqueue(range(1, 25));
  await end(0, 15);
  const light = works.filter(({ task }) => task.url === 'light').map(({ task }) => task.ref.eventId);
  expect(light).toEqual(range(21, 25));
});

it('close gives waiting deliveries up, begins and accepts nothing more, and waits for what is under way', async () => {
  const { queue, works, enqueue, end } = build();
  enqueue(range(1, 12));
  const left: number[] = [];
  let isClosed = false;
  const closing = queue
    .close(async (refs) => void left.push(...refs.map(({ eventId }) => eventId)))
    .then(() => (isClosed = true));
  expect(enqueue([13])).toEqual([]);
  await end(0, SLOTS - 1);
  expect([left, queue.size(), isClosed]).toEqual([[11, 12], 0, false]);
  await end(SLOTS - 1, SLOTS);
  await closing;
  expect(works).toHaveLength(SLOTS);
});
