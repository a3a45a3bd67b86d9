import type { DeliveryStart } from './start-delivery';

/** What waits, by account. When it is full, the account that waits most loses its newest: it pushes nobody else out. */
export function createFairList(max: number) {
  const queues = new Map<string, DeliveryStart[]>();
  let size = 0;

  const makeRoom = (): DeliveryStart | undefined => {
    let longest: DeliveryStart[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    size -= 1;
    return longest.pop();
  };
  return {
    size: () => size,
    /** @returns what had to go for it */
    add(delivery: DeliveryStart): DeliveryStart | undefined {
      const dropped = size >= max ? makeRoom() : undefined;
      const queue = queues.get(delivery.accountId);
      if (queue) queue.push(delivery);
      else queues.set(delivery.accountId, [delivery]);
      size += 1;
      return dropped;
    },
    /** The oldest of the account whose turn it is. */
    take(): DeliveryStart | undefined {
      for (const [accountId, queue] of queues) {
        const delivery = queue.shift();
        // To the end of the turn order, or out of it.
        queues.delete(accountId);
        if (queue.length > 0) queues.set(accountId, queue);
        if (!delivery) continue;
        size -= 1;
        return delivery;
      }
      return undefined;
    },
    clear(): void {
      queues.clear();
      size = 0;
    },
  };
}
