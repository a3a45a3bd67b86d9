import { storedAnswerOf, type DeliveryStore } from '../src/deliveries/store';
import type { DeliveryActivities } from '../src/domain/delivery-contract';

/** Writes down an answer that could not be written when it came; Temporal retries it without end. */
export function createRecordAttempt(deliveries: Pick<DeliveryStore, 'record'>): DeliveryActivities['recordAttempt'] {
  return (input, answer) => deliveries.record(input, storedAnswerOf(answer));
}
