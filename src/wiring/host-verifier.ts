import { createHostVerifier } from '../endpoints/verify-endpoint';
import type { EventIds } from '../events/event-ids';
import { systemClock } from '../platform/clock';
import { sendChallenge } from '../sender/challenge';
import type { Composition, Platform } from './compose';

/** Asks hosts whether they want deliveries. */
export function verifierOf(
  { stores, secretBox, budget, attempts }: Composition,
  eventIds: EventIds,
  logger: Platform['logger'],
) {
  const { open } = secretBox;
  return createHostVerifier({
    budget,
    tries: stores.tries,
    logger,
    now: stores.dispatch.now,
    sendChallenge: async ({ _id: endpointId, url, secret, next_secret: next }, challenge) => {
      const { reading, ...result } = await sendChallenge(attempts.deps.sender, {
        url,
        secrets: { current: open(secret, endpointId), next: next && open(next, endpointId) },
        id: await eventIds.next(),
        challenge,
        timestampSeconds: Math.floor(systemClock() / 1_000),
      });
      return { ...result, received: reading && (await reading.ended) };
    },
  });
}
