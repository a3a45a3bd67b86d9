import { causeInWords } from '../../../src/domain/endpoint-health';
import type { DeliveryState } from '../../../src/domain/delivery-state';
import type { EventWithDeliveries } from '../api/answers';

/** A delivery of an event. */
export type Destination = EventWithDeliveries['deliveries'][number];

type Seen = Pick<Destination, 'id' | 'state' | 'run'> & {
  readonly attempts: readonly Pick<Destination['attempts'][number], 'run' | 'error_code' | 'status_code'>[];
};

/** Failures come first, then what is not finished. */
const BY_URGENCY: readonly DeliveryState[] = ['failed', 'retrying', 'pending', 'delivered', 'cancelled'];
/** The good news comes first. */
const IN_SENTENCE: readonly DeliveryState[] = ['delivered', 'failed', 'retrying', 'pending', 'cancelled'];
/** More names would hide the counts behind them. */
const MAX_NAMES = 3;

/** Whether the last attempt of a delivery failed. */
function isFailing({ state }: Pick<Destination, 'state'>): boolean {
  return state === 'failed' || state === 'retrying';
}

/** The deliveries, failing ones first, then open ones; those of a state by name. */
export function byUrgency<D extends Seen>(deliveries: readonly D[], nameOf: (delivery: D) => string): D[] {
  return deliveries.toSorted(
    (one, other) =>
      BY_URGENCY.indexOf(one.state) - BY_URGENCY.indexOf(other.state) || nameOf(one).localeCompare(nameOf(other)),
  );
}

/** Why the last attempt of a failing delivery failed; undefined for others. */
export function lastCause(delivery: Seen) {
  const last = delivery.attempts.at(-1);
  if (!isFailing(delivery) || !last || last.error_code === null || last.run !== delivery.run) return undefined;
  return { code: last.error_code, statusCode: last.status_code };
}

/** `3 delivered, 2 retrying (Warehouse 502, Initech 301)`. */
export function summaryOf<D extends Seen>(deliveries: readonly D[], nameOf: (delivery: D) => string): string {
  return IN_SENTENCE.flatMap((state) => {
    const those = deliveries.filter((delivery) => delivery.state === state);
    if (those.length === 0) return [];
    const count = `${those.length.toLocaleString('en')} ${state}`;
    return those.some(isFailing) ? `${count} (${namesOf(those, nameOf)})` : count;
  }).join(', ');
}

function namesOf<D extends Seen>(failing: readonly D[], nameOf: (delivery: D) => string): string {
  const names = failing.slice(0, MAX_NAMES).map((delivery) => {
    const cause = lastCause(delivery);
    if (!cause) return nameOf(delivery);
    return `${nameOf(delivery)} ${cause.statusCode ?? causeInWords(cause)}`;
  });
  const more = failing.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** The delivery whose story is shown at once: the only one, or the only one that fails. */
export function openAtOnce<D extends Seen>(deliveries: readonly D[]): D | undefined {
  const candidates = deliveries.length === 1 ? deliveries : deliveries.filter(isFailing);
  return candidates.length === 1 ? candidates[0] : undefined;
}
