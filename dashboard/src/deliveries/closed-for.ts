import { closedBy, CLOSED_REASONS, type ClosedReason } from '../../../src/domain/delivery-contract';
import type { Delivery, Endpoint } from '../api/answers';

/**
 * Why nothing goes to a delivery's endpoint until a user opens it; undefined while it is open. A delivery that waits
 * for a retry is not marked as held before the retry is due, so the endpoint is asked too.
 *
 * @param endpoint undefined while it is not known, or removed
 */
export function closedFor(
  { held_for: heldFor }: Pick<Delivery, 'held_for'>,
  endpoint: Endpoint | undefined,
): ClosedReason | undefined {
  return CLOSED_REASONS.find((reason) => reason === heldFor) ?? (endpoint && closedBy(endpoint));
}
