import { closedBy, type AttemptInput, type AttemptOutcome, type HeldReason } from '../domain/delivery-contract';
import { isFinished } from '../domain/delivery-state';
import type { DeliveryStore, KnownDelivery } from '../stores/delivery-store';
import { standsInLine, type EndpointStore } from '../stores/endpoint-store';
import { isClaimed } from '../stores/event-store';
import type { GateStore } from '../stores/gate-store';
import type { Gate } from './gate';

/** What loading needs. */
export interface LoadDeps {
  readonly deliveries: Pick<DeliveryStore, 'load' | 'cancel' | 'hold'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly gates: Pick<GateStore, 'lookAfterHold'>;
  readonly gate: Pick<Gate, 'look'>;
  /** Names this process in claims. Unique, and new after a restart. */
  readonly owner: string;
  /** The longest time that a receiver may take. */
  readonly timeoutMs: number;
}

/** Another process or another call is making the attempt. A later call gets its answer. */
export class AttemptUnderWay extends Error {
  override readonly name = 'AttemptUnderWay';
}

/** Loads a delivery and its endpoint, whether it may be sent or not. */
export async function load({ deliveries, endpoints }: LoadDeps, input: AttemptInput) {
  const [delivery, endpoint] = await Promise.all([deliveries.load(input), endpoints.find(input.endpointId)]);
  return { delivery, endpoint };
}

/**
 * Loads a delivery that this process claimed in the event's insert.
 *
 * @returns undefined if that claim may end before an attempt would, or if the delivery may not be sent
 */
export async function loadClaimed(deps: LoadDeps, input: AttemptInput): Promise<KnownDelivery | undefined> {
  const { delivery, endpoint } = await load(deps, input);
  if (!delivery || !endpoint || closedBy(endpoint)) return undefined;
  const { destination, event } = delivery;
  const attemptEndsAt = new Date(event.now!.getTime() + deps.timeoutMs);
  const isOurs = destination.run === input.run && destination.claimed_by === deps.owner;
  return isOurs && !isFinished(destination.state) && isClaimed(destination, attemptEndsAt)
    ? { delivery, endpoint }
    : undefined;
}

/**
 * Loads what may be sent now. The record decides, because it changes before any signal.
 *
 * @returns the delivery, or why it may not be sent now or ever
 * @throws AttemptUnderWay when a claim in the event gives the attempt to a process
 */
export async function loadOpen(deps: LoadDeps, input: AttemptInput): Promise<KnownDelivery | AttemptOutcome> {
  const { delivery, endpoint } = await load(deps, input);
  if (!delivery || delivery.destination.run !== input.run) return { kind: 'ended', state: 'cancelled' };
  const { state } = delivery.destination;
  if (isFinished(state)) {
    if (endpoint && standsInLine(endpoint, input)) deps.gate.look(endpoint._id);
    return { kind: 'ended', state };
  }
  if (delivery.destination.claimed_by !== deps.owner && isClaimed(delivery.destination, delivery.event.now!))
    throw new AttemptUnderWay('another process has it');
  if (!endpoint) {
    await deps.deliveries.cancel(input);
    return { kind: 'ended', state: 'cancelled' };
  }
  const closed = closedBy(endpoint);
  return closed ? hold(deps, input, closed) : { delivery, endpoint };
}

/** Makes the delivery wait for its endpoint's gate. */
export async function hold(
  { deliveries, gates }: LoadDeps,
  input: AttemptInput,
  reason: HeldReason,
): Promise<AttemptOutcome> {
  // Closed or not: it may be opened at this moment.
  await Promise.all([deliveries.hold(input, reason), gates.lookAfterHold(input.endpointId)]);
  return { kind: 'held', reason };
}
