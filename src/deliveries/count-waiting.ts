import type { OrderStore } from '../stores/order-store';
import type { HeldReason } from '../domain/delivery-contract';
import { findEndpoint } from '../endpoints/find-endpoints';
import type { EndpointStore } from '../stores/endpoint-store';
import type { WaitingGroup, WaitingStore } from '../stores/waiting-store';
import { reasonNow } from './find-deliveries';

/** What counting needs. */
export interface CountWaitingDeps {
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly order: Pick<OrderStore, 'firstInLine'>;
  readonly waiting: WaitingStore;
}

/** Deliveries that are held for the same reason. */
interface HeldGroup {
  readonly reason: HeldReason;
  readonly deliveries: number;
  /** Since when the first of them waits; null if that is not known. */
  readonly since: Date | null;
}

/** The unfinished deliveries to an endpoint, by what they wait for. */
export interface Waiting {
  /** False if there may be more than were counted. */
  readonly complete: boolean;
  /** The most deliveries first. */
  readonly held: readonly HeldGroup[];
  /** Those that wait for the time of their next attempt. */
  readonly scheduled: number;
  /** When the next of those attempts is due. */
  readonly nextAttemptAt: Date | null;
  /** Those whose attempt is due now or under way. */
  readonly due: number;
  /** The event that is first in the line of an ordered endpoint, if deliveries wait behind it. */
  readonly behindEventId: number | null;
}

/**
 * Counts what waits for an endpoint, and why.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function countWaiting(
  deps: CountWaitingDeps,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Waiting> {
  const endpoint = await findEndpoint(deps, accountId, id);
  const ref = { accountId, endpointId: id };
  const { groups, complete } = await deps.waiting.waitingFor(ref);
  const held = new Map<HeldReason, HeldGroup>();
  for (const { kind, heldFor, deliveries, since } of groups) {
    if (kind !== 'held' || heldFor === null) continue;
    // A pause changes the reason of all of them, and is stored only in the endpoint.
    const reason = reasonNow(endpoint, heldFor);
    const others = held.get(reason);
    held.set(reason, {
      reason,
      deliveries: deliveries + (others?.deliveries ?? 0),
      since: earlier(since, others?.since ?? null),
    });
  }
  const first = held.has('in_line') ? await deps.order.firstInLine(ref) : null;
  return {
    complete,
    held: [...held.values()].sort((one, other) => other.deliveries - one.deliveries),
    scheduled: sumOf(groups, 'scheduled'),
    nextAttemptAt: groups.find(({ kind }) => kind === 'scheduled')?.nextAt ?? null,
    due: sumOf(groups, 'due'),
    behindEventId: first?.eventId ?? null,
  };
}

function sumOf(groups: readonly WaitingGroup[], kind: WaitingGroup['kind']): number {
  return groups.reduce((sum, group) => sum + (group.kind === kind ? group.deliveries : 0), 0);
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
