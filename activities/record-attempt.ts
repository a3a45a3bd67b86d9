import { storedAnswerOf } from '../src/deliveries/attempt-store';
import type { DeliveryActivities, DeliveryRef } from '../src/domain/delivery-contract';
import type { AttemptDeps } from './attempt-delivery';
import { settleAnswer } from './settle-answer';
import { lineOf } from './take-turn';

/** Writes down an answer that could not be written when it came; Temporal retries it without end. */
export function createRecordAttempt(deps: AttemptDeps): DeliveryActivities['recordAttempt'] {
  return async (input, outcome) => {
    const answer = storedAnswerOf(outcome);
    await deps.deliveries.record(input, answer);
    const [delivery, endpoint] = await Promise.all([
      deps.deliveries.load(input),
      deps.endpoints.find(input.endpointId),
    ]);
    if (delivery) await settleAnswer(deps, input, { delivery, endpoint }, answer);
  };
}

/** Writes down that somebody cancelled the execution in Temporal, and lets the next one in the endpoint's line. */
export function createRecordCancelled(deps: AttemptDeps): DeliveryActivities['recordCancelled'] {
  return async (ref: DeliveryRef) => {
    await deps.deliveries.cancel(ref);
    const endpoint = await deps.endpoints.find(ref.endpointId);
    if (endpoint?.options?.ordered) await deps.wakeNext(lineOf(endpoint));
    return true;
  };
}
