"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEventIds = createEventIds;
const BLOCK_SIZE = 1_000;
/** The next block is fetched while this many ids are left, so that ingest does not wait for it. */
const REFILL_BELOW = 200;
/** Takes ids from blocks that MongoDB's counter gave to this process alone; a restart leaves a gap. */
function createEventIds(events) {
    const blocks = [];
    let refill;
    const left = () => blocks.reduce((sum, { next, end }) => sum + end - next, 0);
    const fetchBlock = () => {
        refill ??= events
            .reserveIds(BLOCK_SIZE)
            .then((first) => void blocks.push({ next: first, end: first + BLOCK_SIZE }))
            .finally(() => (refill = undefined));
        return refill;
    };
    return {
        async next() {
            while (left() === 0)
                await fetchBlock();
            // A failure of this early fetch is met by whoever finds the block empty.
            if (left() < REFILL_BELOW)
                fetchBlock().catch(() => undefined);
            const block = blocks[0];
            const id = block.next;
            block.next += 1;
            if (block.next === block.end)
                blocks.shift();
            return id;
        },
    };
}
//# sourceMappingURL=event-ids.js.map