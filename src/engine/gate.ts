import type { DeliveryStore } from '../stores/delivery-store';
import { closedBy, type DeliveryRef } from '../domain/delivery-contract';
import { GIVE_BACK_MS } from '../stores/delivery-updates';
import { rateOf, standsInLine, type Endpoint, type EndpointRef, type EndpointStore } from '../stores/endpoint-store';
import { LOOK_LEASE_MS, type GateStore } from '../stores/gate-store';
import type { Logger } from '../platform/logger';
import type { OrderStore } from '../stores/order-store';
import type { RateStore } from '../stores/rate-store';
import type { EndpointCapacity } from './endpoint-capacity';
import type { ReceiverBudget } from './receiver-budget';
import { startOf, type StartTask } from './task';

/** The dispatcher, as the gate needs it. */
interface ReleasedTo {
  /** Whether this process makes attempts that are due now. */
  readonly makesAttempts: boolean;
  dispatch(task: StartTask): boolean;
  /** How many deliveries to the endpoint this process holds that are neither sent nor started. */
  waitingFor(endpoint: EndpointRef): number;
}

interface GateDeps {
  readonly deliveries: Pick<DeliveryStore, 'nextHeld' | 'holdsAny' | 'releaseHeld' | 'cancelAllOf'>;
  readonly endpoints: Pick<EndpointStore, 'find' | 'endBacklog'>;
  readonly gates: Pick<GateStore, 'lookIn' | 'open' | 'forget'>;
  readonly order: Pick<OrderStore, 'firstInLine' | 'isFree'>;
  readonly rates: Pick<RateStore, 'untilNextTurn'>;
  readonly capacity: Pick<EndpointCapacity, 'freeSlots'>;
  readonly receivers: Pick<ReceiverBudget, 'reserve' | 'untilFreeMs'>;
  /** The dispatcher attempts what the gate releases, and the end of an attempt releases the next. */
  readonly dispatcher: () => ReleasedTo;
  readonly logger: Logger;
  /** Names this process in claims. */
  readonly owner: string;
}

/** As often as the sweeper looks at gates: turns that come within this time are used now. An attempt waits for its turn. */
const LOOK_EVERY_MS = 1_000;

export type Gate = ReturnType<typeof createGate>;

/**
 * Releases held deliveries, each endpoint's in the order in which their events were accepted.
 *
 * It runs one look at a time for each endpoint. A request that arrives during a look triggers one more. A look that
 * leaves something behind an open gate stores when the next one is due, for the sweeper of any process.
 *
 * A process sends or starts what it releases. If it dies before that, the delivery is due, and the sweeper sends it.
 */
export function createGate(deps: GateDeps) {
  const looking = new Map<string, Promise<void>>();
  /** Looks that were requested and have not begun: the endpoint, and until when its gate is taken for it, if it is. */
  const asked = new Map<string, Date | undefined>();
  /** Endpoints that hold more behind an open gate, and when their stored look is due, by this process's clock. */
  const holding = new Map<string, number>();
  let isClosed = false;

  /**
   * Stores when to look next, unless this process has just stored an earlier look. A look that was taken is always stored
   * again: otherwise the gate would keep the time of the lease.
   */
  const lookAgain = async (endpointId: string, inMs: number, isTaken: boolean): Promise<void> => {
    const now = performance.now();
    const storedAt = holding.get(endpointId) ?? -Infinity;
    if (!isTaken && storedAt > now && storedAt <= now + Math.min(inMs, LOOK_EVERY_MS)) return;
    holding.set(endpointId, now);
    await deps.gates.lookIn(endpointId, inMs);
    holding.set(endpointId, now + inMs);
  };
  const lookOnce = async (endpointId: string, takenUntil: Date | undefined): Promise<void> => {
    const againInMs = await releaseHeld(deps, endpointId);
    if (againInMs !== null) return lookAgain(endpointId, Math.min(againInMs, LOOK_LEASE_MS), takenUntil !== undefined);
    holding.delete(endpointId);
    if (takenUntil) await deps.gates.forget(endpointId, takenUntil);
  };
  const lookAt = async (endpointId: string): Promise<void> => {
    while (!isClosed && asked.has(endpointId)) {
      const takenUntil = asked.get(endpointId);
      asked.delete(endpointId);
      await lookOnce(endpointId, takenUntil).catch((error: unknown) => {
        const about = { err: error, endpoint_id: endpointId };
        deps.logger.info(about, 'held deliveries were not released; the next look retries');
      });
    }
    looking.delete(endpointId);
  };
  const lookTaken = (endpointId: string, takenUntil?: Date): Promise<void> => {
    if (isClosed) return Promise.resolve();
    asked.set(endpointId, takenUntil ?? asked.get(endpointId));
    const look = looking.get(endpointId) ?? lookAt(endpointId);
    looking.set(endpointId, look);
    return look;
  };
  const look = (endpointId: string): void => void lookTaken(endpointId);
  return {
    /** Releases what an endpoint holds and can take now. Does not wait, and never throws. */
    look,
    /**
     * The same for a gate that this process has taken in the store, and waits until it has looked. Never rejects.
     *
     * @param takenUntil the gate's stored time
     */
    lookTaken,
    /** Releases what an endpoint holds after a change that may have opened its gate, even if this process dies now. */
    async open(endpointId: string): Promise<void> {
      await deps.gates.open(endpointId);
      look(endpointId);
    },
    /** Reports that an attempt to the endpoint has ended in this process: a slot is free for the next one. */
    attemptEnded(endpointId: string): void {
      if (holding.has(endpointId)) look(endpointId);
    },
    /** Resolves when no release is under way. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(looking.values());
    },
  };
}

/**
 * @returns in how many milliseconds to look at the gate again; null if it is closed, or if nothing is left behind it
 */
async function releaseHeld(deps: GateDeps, endpointId: string): Promise<number | null> {
  const endpoint = await deps.endpoints.find(endpointId);
  if (!endpoint) {
    // Accepted by a process that did not know yet about the removal of the endpoint.
    const [held] = await deps.deliveries.nextHeld(endpointId, 1);
    if (held) await deps.deliveries.cancelAllOf({ accountId: held.accountId, endpointId });
    return null;
  }
  // Whoever opens it has it looked at.
  if (closedBy(endpoint)) return null;
  const slots = deps.capacity.freeSlots(endpointId);
  // The end of an attempt looks again, in this process.
  if (slots === 0) return LOOK_LEASE_MS;
  const dispatcher = deps.dispatcher();
  const waiting = dispatcher.waitingFor({ accountId: endpoint.account_id, endpointId });
  const turns = await turnsOf(deps, endpoint);
  const wanted = Math.min(slots, turns.near) - waiting;
  if (wanted <= 0) return turns.lookInMs(waiting);
  const most = await deps.receivers.reserve(endpoint.account_id, endpoint.url, wanted);
  if (most === 0) return deps.receivers.untilFreeMs(endpoint.url);
  const held = await deps.deliveries.nextHeld(endpointId, most);
  const line = endpoint.options?.ordered ? await lineOf(deps, endpoint, held) : { next: held, lookInMs: 0 };
  const released = await deps.deliveries.releaseHeld(line.next, deps.owner, dispatcher.makesAttempts);
  for (const delivery of released) dispatcher.dispatch(startOf(delivery, delivery.destination.next_attempt_at!));
  if (held.length === most || line.next.length < held.length)
    return Math.max(line.lookInMs, turns.lookInMs(waiting + released.length));
  // An execution has just given one back, or another process has just held one.
  if (await deps.deliveries.holdsAny(endpointId)) return GIVE_BACK_MS;
  if (endpoint.backlog_per_second === undefined) return null;
  // Those whose turns are still to come keep them.
  if (waiting + released.length > 0 || !turns.areOver) return LOOK_EVERY_MS;
  return (await deps.endpoints.endBacklog(endpoint)) ? null : LOOK_EVERY_MS;
}

/** The turns in an endpoint's rate. */
interface Turns {
  /** How many come soon enough to be used now. */
  readonly near: number;
  /** Whether every turn that an attempt has taken has come. */
  readonly areOver: boolean;
  /** @returns milliseconds until the first turn after `used` ones is near */
  readonly lookInMs: (used: number) => number;
}

async function turnsOf({ rates }: GateDeps, endpoint: Endpoint): Promise<Turns> {
  const perSecond = rateOf(endpoint);
  if (perSecond === undefined) return { near: Infinity, areOver: true, lookInMs: () => LOOK_EVERY_MS };
  const untilNextMs = await rates.untilNextTurn(endpoint._id);
  return {
    areOver: untilNextMs === 0,
    near: 1 + Math.floor(((LOOK_EVERY_MS - untilNextMs) * perSecond) / 1_000),
    lookInMs: (used) => Math.max(0, untilNextMs + (used * 1_000) / perSecond - LOOK_EVERY_MS),
  };
}

/**
 * Those deliveries whose turn has come in an ordered endpoint's line, and when to look at the others: whoever ends the
 * first one looks at once. Only if that process dies, they wait for the next look.
 */
async function lineOf({ order }: GateDeps, endpoint: Endpoint, held: readonly DeliveryRef[]) {
  const isFree = await order.isFree(endpoint._id);
  const first = isFree ? await order.firstInLine({ accountId: endpoint.account_id, endpointId: endpoint._id }) : null;
  const next = held.filter((ref) => !standsInLine(endpoint, ref) || ref.eventId === first?.eventId);
  return { next, lookInMs: isFree ? (first?.waitMs ?? 0) : LOOK_LEASE_MS };
}
