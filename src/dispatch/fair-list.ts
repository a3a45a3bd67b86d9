import type { EndpointRef } from '../record/endpoint-store';
import type { DeliveryStart } from './executions';

type Lines = Map<string, DeliveryStart[]>;

/**
 * Waiting deliveries, in a line for each endpoint. Accounts take turns, and so do an account's endpoints.
 *
 * @param max at this size, the account with the most waiting deliveries loses its newest, so a noisy account pushes out
 *   no other
 */
export function createFairList(max: number) {
  /** The next account, and its next endpoint, come first. */
  const accounts = new Map<string, Lines>();
  let size = 0;

  const makeRoom = (): DeliveryStart | undefined => {
    const longest = longestOf(longestOf(accounts.values(), countOf)?.values() ?? [], (line) => line.length);
    size -= 1;
    return longest?.pop();
  };
  const add = (delivery: DeliveryStart): DeliveryStart | undefined => {
    const { accountId, ref } = delivery;
    const lines: Lines = accounts.get(accountId) ?? new Map();
    const line = lines.get(ref.endpointId) ?? [];
    accounts.set(accountId, lines.set(ref.endpointId, line));
    line.push(delivery);
    size += 1;
    return size > max ? makeRoom() : undefined;
  };
  return {
    size: () => size,
    waitingFor: ({ accountId, endpointId }: EndpointRef) => accounts.get(accountId)?.get(endpointId)?.length ?? 0,
    /** @returns the delivery that was removed for it */
    add,
    /** The oldest delivery of the line whose turn it is, among the endpoints that `mayGo` accepts. */
    take(mayGo: (endpointId: string) => boolean): DeliveryStart | undefined {
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
    /** Removes everything that `isMeant` chooses; the others keep their order. */
    takeAll(isMeant: (delivery: DeliveryStart) => boolean = () => true): DeliveryStart[] {
      const all = [...accounts.values()].flatMap((lines) => [...lines.values()].flat());
      accounts.clear();
      size = 0;
      for (const delivery of all) if (!isMeant(delivery)) add(delivery);
      return all.filter(isMeant);
    },
  };
}

function countOf(lines: Lines): number {
  return [...lines.values()].reduce((count, line) => count + line.length, 0);
}

function longestOf<T>(all: Iterable<T>, lengthOf: (it: T) => number): T | undefined {
  let longest: T | undefined;
  for (const it of all) if (longest === undefined || lengthOf(it) > lengthOf(longest)) longest = it;
  return longest;
}
