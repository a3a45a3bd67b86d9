import type { DeliveryStore } from '../record/delivery-store';
import { closedBy, type DeliveryRef } from '../domain/delivery-contract';
import type { EndpointLoad } from '../domain/endpoint-load';
import { standsInLine, type Endpoint, type EndpointStore } from '../record/endpoint-store';
import type { Logger } from '../platform/logger';
import type { Dispatcher } from './dispatcher';
import type { OrderStore } from '../record/order-store';
import type { RateStore } from '../record/rate-store';
import { startOf } from './executions';

interface GateDeps {
  readonly deliveries: Pick<DeliveryStore, 'nextHeld' | 'releaseHeld' | 'cancelAllOf'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly order: Pick<OrderStore, 'firstInLine' | 'isFree'>;
  readonly rates: Pick<RateStore, 'untilNextTurn'>;
  readonly load: Pick<EndpointLoad, 'roomFor'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'isExpress' | 'waitingFor'>;
  readonly logger: Logger;
  /** Names this process in claims. */
  readonly owner: string;
}

/** Turns that come within this time are used now: the sweeper looks at gates as often. An attempt waits for its turn. */
const TURNS_WITHIN_MS = 1_000;

export type Gate = ReturnType<typeof createGate>;

/**
 * Releases held deliveries, each endpoint's in the order in which their events were accepted.
 *
 * It runs one look at a time for each endpoint. A request for a look meanwhile starts one more afterwards.
 *
 * A process sends or starts what it releases. If it dies before that, the delivery is due, and the sweeper sends it.
 */
export function createGate(deps: GateDeps) {
  const looking = new Map<string, Promise<void>>();
  /** Endpoints for which a look was requested that has not begun. */
  const asked = new Set<string>();
  /** Endpoints that may hold more than there was room for. */
  const full = new Set<string>();
  let isClosed = false;

  const lookAt = async (endpointId: string): Promise<void> => {
    while (!isClosed && asked.delete(endpointId)) {
      try {
        if (await releaseHeld(deps, endpointId)) full.add(endpointId);
        else full.delete(endpointId);
      } catch (error) {
        const about = { err: error, endpoint_id: endpointId };
        deps.logger.info(about, 'held deliveries were not released; the next look retries');
      }
    }
    looking.delete(endpointId);
  };
  const look = (endpointId: string): void => {
    if (isClosed) return;
    asked.add(endpointId);
    if (!looking.has(endpointId)) looking.set(endpointId, lookAt(endpointId));
  };
  return {
    /** Releases what an endpoint holds and can take now. Does not wait, and never throws. */
    look,
    /** Reports that an attempt to the endpoint has ended in this process: there is room for the next one. */
    attemptEnded(endpointId: string): void {
      if (full.has(endpointId)) look(endpointId);
    },
    /** Resolves when no release is under way. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(looking.values());
    },
  };
}

/** @returns whether the endpoint may hold more than it has room for now */
async function releaseHeld(deps: GateDeps, endpointId: string): Promise<boolean> {
  const endpoint = await deps.endpoints.find(endpointId);
  if (!endpoint) {
    // Accepted by a process that did not know yet about the removal of the endpoint.
    const [held] = await deps.deliveries.nextHeld(endpointId, 1);
    if (held) await deps.deliveries.cancelAllOf({ accountId: held.accountId, endpointId });
    return false;
  }
  if (closedBy(endpoint)) return false;
  const room = await roomOf(deps, endpoint);
  if (room <= 0) return true;
  const held = await deps.deliveries.nextHeld(endpointId, room);
  const next = endpoint.options?.ordered ? await withoutLine(deps, endpoint, held) : held;
  const claims = deps.dispatcher.isExpress();
  const released = await deps.deliveries.releaseHeld(next, deps.owner, claims);
  for (const delivery of released) {
    const start = startOf(delivery, delivery.destination.next_attempt_at!);
    deps.dispatcher.dispatch({ ...start, ...(claims && { stage: 'claimed' }) });
  }
  return held.length === room;
}

/** How many deliveries may be released. Those that wait in this process already use up room. */
async function roomOf({ load, rates, dispatcher }: GateDeps, endpoint: Endpoint): Promise<number> {
  const { _id: endpointId, account_id: accountId, options } = endpoint;
  let turns = Infinity;
  if (options?.max_per_second !== undefined) {
    const leftMs = TURNS_WITHIN_MS - (await rates.untilNextTurn(endpointId));
    turns = 1 + Math.floor((leftMs * options.max_per_second) / 1_000);
  }
  return Math.min(load.roomFor(endpointId), turns) - dispatcher.waitingFor({ accountId, endpointId });
}

/** Leaves out deliveries whose turn has not come in an ordered endpoint's line. */
async function withoutLine({ order }: GateDeps, endpoint: Endpoint, held: readonly DeliveryRef[]) {
  const isFree = await order.isFree(endpoint._id);
  const first = isFree ? await order.firstInLine({ accountId: endpoint.account_id, endpointId: endpoint._id }) : null;
  return held.filter((ref) => !standsInLine(endpoint, ref) || ref.eventId === first?.eventId);
}
