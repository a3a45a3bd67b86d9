import { attemptId, type ReceivedParts, type StoredAnswer } from '../stores/attempt-store';
import type { AttemptInput } from '../domain/delivery-contract';
import type { DeliveryStore } from '../stores/delivery-store';
import type { Logger } from '../platform/logger';

export type LateParts = ReturnType<typeof createLateParts>;

/**
 * Records what receivers send after their status has decided the attempt. Nothing waits for it but the end of the
 * process, and a part that can't be recorded is lost.
 */
export function createLateParts({
  deliveries,
  logger,
}: {
  readonly deliveries: DeliveryStore;
  readonly logger: Logger;
}) {
  const underWay = new Set<Promise<void>>();
  return {
    /** @param of the event's account, and the parts, which never reject */
    add(
      input: AttemptInput,
      answer: StoredAnswer,
      of: { readonly accountId: string; readonly parts: Promise<ReceivedParts> },
    ): void {
      const recorded = of.parts
        .then((parts) => deliveries.addReceived(input, answer, { ...of, parts }))
        .catch((error: unknown) => {
          logger.warn({ err: error, attempt: attemptId(input) }, 'the end of an answer is not recorded');
        })
        .finally(() => underWay.delete(recorded));
      underWay.add(recorded);
    },
    /** Resolves when nothing is being read or written any more. */
    async recorded(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
