import { randomInt } from 'node:crypto';
import type { EventStore } from '../stores/event-store';

const BLOCK_SIZE = 1_000;
/** The next block is fetched when this many ids are left, so that ingest does not wait for it. */
const REFILL_BELOW = 200;

export type EventIds = ReturnType<typeof createEventIds>;

/**
 * Gives out event ids: unique across processes, below 2^53, and never given out twice, even if MongoDB is restored from
 * a backup. They come from blocks that MongoDB's counter gave to this process alone; a restart leaves a gap.
 *
 * The ids of a block are given out in random order: an account sees its own ids, and must not learn from them how many
 * events the others ingested in between.
 */
export function createEventIds(events: Pick<EventStore, 'reserveIds'>) {
  const blocks: number[][] = [];
  let refill: Promise<void> | undefined;

  const left = (): number => blocks.reduce((sum, { length }) => sum + length, 0);
  const fetchBlock = (): Promise<void> => {
    refill ??= events
      .reserveIds(BLOCK_SIZE)
      .then((first) => void blocks.push(Array.from({ length: BLOCK_SIZE }, (_, index) => first + index)))
      .finally(() => (refill = undefined));
    return refill;
  };

  return {
    async next(): Promise<number> {
      while (left() === 0) await fetchBlock();
      // If this early fetch fails, the caller that finds the block empty gets the error.
      if (left() < REFILL_BELOW) fetchBlock().catch(() => undefined);
      const [block] = blocks as [number[]];
      const at = randomInt(block.length);
      const id = block[at]!;
      // The last one takes its place, so that taking one costs the same however many are left.
      const last = block.pop()!;
      if (at < block.length) block[at] = last;
      if (block.length === 0) blocks.shift();
      return id;
    },
  };
}
