import type { DeliveryStore } from '../record/delivery-store';
import { closedBy, type DeliveryRef } from '../domain/delivery-contract';
import type { EndpointLoad } from '../domain/endpoint-load';
import { standsInLine, type Endpoint, type EndpointStore } from '../record/endpoint-store';
import type { Logger } from '../platform/logger';
import type { Dispatcher } from './dispatcher';
import type { OrderStore } from './order-store';
import type { RateStore } from './rate-store';
import { startOf } from './executions';

interface GateDeps {
  readonly deliveries: Pick<DeliveryStore, 'nextHeld' | 'letGo' | 'cancelAllOf'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly order: Pick<OrderStore, 'firstInLine' | 'isFree'>;
  readonly rates: Pick<RateStore, 'untilNextTurn'>;
  readonly load: Pick<EndpointLoad, 'roomFor'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'isExpress' | 'waitingFor'>;
  readonly logger: Logger;
  /** Names this process in claims. */
  readonly owner: string;
}

/** As often as the sweeper looks at gates. */
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
  /** Endpoints that are being looked at, and for which another look was requested. */
  const askedAgain = new Set<string>();
  /** Endpoints that may hold more than there was room for. */
  const full = new Set<string>();
  let isClosed = false;

  const lookAt = async (endpointId: string): Promise<void> => {
    try {
      do {
        askedAgain.delete(endpointId);
        const isMore = await letGo(deps, endpointId);
        if (isMore) full.add(endpointId);
        else full.delete(endpointId);
      } while (askedAgain.has(endpointId) && !isClosed);
    } catch (error) {
      deps.logger.info(
        { err: error, endpoint_id: endpointId },
        'held deliveries were not released; the next look retries',
      );
    } finally {
      looking.delete(endpointId);
      askedAgain.delete(endpointId);
    }
  };
  const look = (endpointId: string): void => {
    if (isClosed) return;
    if (looking.has(endpointId)) askedAgain.add(endpointId);
    else looking.set(endpointId, lookAt(endpointId));
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
async function letGo(deps: GateDeps, endpointId: string): Promise<boolean> {
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
  const gone = await deps.deliveries.letGo(next, { owner: deps.owner, claims });
  for (const { event, destination } of gone) {
    const known = { delivery: { event, destination }, endpoint };
    deps.dispatcher.dispatch({ ...startOf(known.delivery, destination.next_attempt_at!), known });
  }
  return held.length === room;
}

/** How many deliveries may be released. Those that wait in this process already use up room. */
async function roomOf(deps: GateDeps, { _id, account_id: accountId, options }: Endpoint): Promise<number> {
  const perSecond = options?.max_per_second;
  const turns = perSecond === undefined ? Infinity : await turnsSoon(deps, _id, perSecond);
  const { load, dispatcher } = deps;
  return Math.min(load.roomFor(_id), turns) - dispatcher.waitingFor({ accountId, endpointId: _id });
}

/** How many turns of the endpoint's rate are free within a second, which is how long an attempt may wait for one. */
async function turnsSoon({ rates }: GateDeps, endpointId: string, perSecond: number): Promise<number> {
  const leftMs = TURNS_WITHIN_MS - (await rates.untilNextTurn(endpointId));
  return leftMs < 0 ? 0 : 1 + Math.floor((leftMs * perSecond) / 1_000);
}

/** Leaves out deliveries whose turn has not come in an ordered endpoint's line. */
async function withoutLine<Ref extends DeliveryRef>(
  { order }: GateDeps,
  endpoint: Endpoint,
  held: readonly Ref[],
): Promise<Ref[]> {
  const isFree = await order.isFree(endpoint._id);
  const first = isFree ? await order.firstInLine({ accountId: endpoint.account_id, endpointId: endpoint._id }) : null;
  return held.filter((ref) => !standsInLine(endpoint, ref) || ref.eventId === first?.eventId);
}
