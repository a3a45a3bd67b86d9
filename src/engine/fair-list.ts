import type { EndpointRef } from '../stores/endpoint-store';
import type { QueuedDelivery } from './task';

type Lines<Task> = Map<string, Task[]>;

/**
 * Waiting deliveries, in a line for each endpoint. Accounts take turns, and so do an account's endpoints.
 *
 * @param max at this size, the account with the most waiting deliveries loses its newest, so a noisy account pushes out
 *   no other
 */
export function createFairList<Task extends Pick<QueuedDelivery, 'accountId' | 'ref'>>(max: number) {
  /** The next account, and its next endpoint, come first. */
  const accounts = new Map<string, Lines<Task>>();
  let size = 0;

  const dropNewest = (): Task | undefined => {
    const longest = longestOf(longestOf(accounts.values(), countOf)?.values() ?? [], (line) => line.length);
    size -= 1;
    return longest?.pop();
  };
  const add = (delivery: Task): Task | undefined => {
    const { accountId, ref } = delivery;
    const lines: Lines<Task> = accounts.get(accountId) ?? new Map();
    const line = lines.get(ref.endpointId) ?? [];
    accounts.set(accountId, lines.set(ref.endpointId, line));
    line.push(delivery);
    size += 1;
    return size > max ? dropNewest() : undefined;
  };
  return {
    size: () => size,
    waitingFor: ({ accountId, endpointId }: EndpointRef) => accounts.get(accountId)?.get(endpointId)?.length ?? 0,
    /** @returns the delivery that was removed for it */
    add,
    /** The oldest delivery of the line whose turn it is, among the endpoints that `mayGo` accepts. */
    take(mayGo: (endpointId: string) => boolean): Task | undefined {
      for (const [accountId, lines] of accounts) {
        for (const [endpointId, line] of lines) {
          if (line.length === 0 || !mayGo(endpointId)) continue;
          const delivery = line.shift();
          size -= 1;
          // Both move to the end.
          lines.delete(endpointId);
          if (line.length > 0) lines.set(endpointId, line);
          accounts.delete(accountId);
          if (lines.size > 0) accounts.set(accountId, lines);
          return delivery;
        }
      }
      return undefined;
    },
    /** Removes everything. */
    takeAll(): Task[] {
      const all = [...accounts.values()].flatMap((lines) => [...lines.values()].flat());
      accounts.clear();
      size = 0;
      return all;
    },
  };
}

function countOf(lines: Lines<unknown>): number {
  return [...lines.values()].reduce((count, line) => count + line.length, 0);
}

function longestOf<T>(all: Iterable<T>, lengthOf: (it: T) => number): T | undefined {
  let longest: T | undefined;
  for (const it of all) if (longest === undefined || lengthOf(it) > lengthOf(longest)) longest = it;
  return longest;
}
