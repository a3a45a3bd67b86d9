import type { DeliveryState, EventStatus } from '../domain/delivery-state';

/** A condition of MongoDB's query language. */
type Condition = Readonly<Record<string, unknown>>;

/** What a query asks for. */
export interface Conditions {
  /** The condition that an index answers. */
  readonly indexed: Condition;
  /** The conditions that must be checked in the events themselves. */
  readonly rest: readonly Condition[];
}

/** `eventStatus` as conditions: the state to look up in the index, and what else must hold. */
export function statusConditions(status: EventStatus): Conditions {
  const some = (...states: DeliveryState[]) => ({ 'destinations.state': { $in: states } });
  const none = (...states: DeliveryState[]) => ({ 'destinations.state': { $nin: states } });
  const isAnswered = { 'destinations.attempt_count': { $gt: 0 } };
  switch (status) {
    case 'no_destinations':
      return { indexed: { 'destinations.state': { $exists: false } }, rest: [] };
    case 'pending':
      return { indexed: some('pending'), rest: [{ $nor: [isAnswered] }] };
    case 'retrying':
      return { indexed: some('pending', 'retrying'), rest: [isAnswered] };
    case 'delivered':
      return { indexed: some('delivered'), rest: [none('pending', 'retrying', 'failed')] };
    case 'failed':
      return { indexed: some('failed'), rest: [none('pending', 'retrying', 'delivered', 'cancelled')] };
    case 'cancelled':
      return { indexed: some('cancelled'), rest: [none('pending', 'retrying', 'delivered', 'failed')] };
    case 'partially_failed':
      return { indexed: some('failed'), rest: [some('delivered', 'cancelled'), none('pending', 'retrying')] };
  }
}
