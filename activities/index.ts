import type { AttemptInput, AttemptOutcome, DeliveryActivities } from '../src/domain/delivery-contract';
import type { Attempts } from '../src/engine/attempt';

/** The longest that an attempt holds a workflow task, whether it waits for a receiver, for its turn or for MongoDB. */
const MAX_INLINE_MS = 2_000;

/** The receiver is slow, or this process is. The attempt continues in the background, and a later call gets its answer. */
class SlowReceiver extends Error {
  override readonly name = 'SlowReceiver';
}

/** What the activities need: the attempts of this process. */
export interface ActivityDeps {
  readonly attempts: Pick<Attempts, 'make' | 'isSlow' | 'recordCancelled'>;
}

/** The activities that the worker registers. They are attempts of the engine (`src/engine/attempt.ts`). */
export function createActivities({ attempts }: ActivityDeps): DeliveryActivities {
  /** For a call that holds a workflow task. @throws SlowReceiver if the attempt takes longer than it may hold the task */
  const makeInline = async (input: AttemptInput) => {
    if (attempts.isSlow(input.endpointId)) throw new SlowReceiver();
    return new Promise<AttemptOutcome>((resolve, reject) => {
      const leave = (): void => reject(new SlowReceiver());
      const timer = setTimeout(leave, MAX_INLINE_MS);
      attempts
        .make(input, { onSlow: leave })
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  };
  return {
    attemptDelivery: (input) => (input.inline ? makeInline(input) : attempts.make(input)),
    recordCancelled: (ref) => attempts.recordCancelled(ref),
  };
}
