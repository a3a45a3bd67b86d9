import type { EventStore } from '../record/event-store';

const BLOCK_SIZE = 1_000;
/** The next block is fetched when this many ids are left, so that ingest does not wait for it. */
const REFILL_BELOW = 200;

export type EventIds = ReturnType<typeof createEventIds>;

/**
 * Gives out event ids: unique across processes, below 2^53, and never given out twice, even if MongoDB is restored from
 * a backup. They come from blocks that MongoDB's counter gave to this process alone; a restart leaves a gap.
 */
export function createEventIds(events: Pick<EventStore, 'reserveIds'>) {
  const blocks: { next: number; end: number }[] = [];
  let refill: Promise<void> | undefined;

  const left = (): number => blocks.reduce((sum, { next, end }) => sum + end - next, 0);
  const fetchBlock = (): Promise<void> => {
    refill ??= events
      .reserveIds(BLOCK_SIZE)
      .then((first) => void blocks.push({ next: first, end: first + BLOCK_SIZE }))
      .finally(() => (refill = undefined));
    return refill;
  };

  return {
    async next(): Promise<number> {
      while (left() === 0) await fetchBlock();
      // If this early fetch fails, the caller that finds the block empty gets the error.
      if (left() < REFILL_BELOW) fetchBlock().catch(() => undefined);
      const block = blocks[0]!;
      const id = block.next;
      block.next += 1;
      if (block.next === block.end) blocks.shift();
      return id;
    },
  };
}
