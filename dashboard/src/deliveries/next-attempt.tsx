import { Text } from '@mantine/core';
import type { Delivery, DeliveryWithAttempts } from '../api/answers';
import { useNow } from '../elements/clock';
import { PageLink } from '../elements/links';
import { remainingTime } from '../elements/time';
import { exactTime } from '../elements/written-time';

/** Why a delivery has no next attempt yet. */
const HELD: Record<NonNullable<Delivery['held_for']>, string> = {
  suspended: 'Waiting: the account is suspended',
  paused: 'Waiting: the endpoint is paused',
  disabled: 'Waiting: the endpoint is disabled',
  unverified: 'Waiting: the host has not answered its challenge',
  hanging: 'Waiting: the endpoint does not answer',
  at_cap: 'Waiting: the endpoint has reached its limit of concurrent requests',
  at_rate: 'Waiting: the endpoint or its receiver has reached its rate limit',
  in_line: 'Waiting: an earlier event goes first',
};

type Waiting = Pick<Delivery, 'next_attempt_at' | 'held_for' | 'held_since' | 'attempt_count' | 'max_attempts'> &
  // Lists don't know them.
  Partial<Pick<DeliveryWithAttempts, 'behind_event_id' | 'wait_seconds'>>;

/** Counts down to the next attempt, or says what the delivery waits for. */
export function NextAttempt({ delivery }: { readonly delivery: Waiting }) {
  const now = useNow();
  if (delivery.held_for !== null) {
    return (
      <Text size="sm" title={delivery.held_since === null ? '' : `since ${exactTime(delivery.held_since)}`}>
        <HeldFor delivery={delivery} reason={delivery.held_for} />
      </Text>
    );
  }
  if (delivery.next_attempt_at === null) return null;
  const leftMs = new Date(delivery.next_attempt_at).getTime() - now;
  const number = `Attempt ${delivery.attempt_count + 1} of ${delivery.max_attempts}`;
  return (
    <Text size="sm" className="figures" title={exactTime(delivery.next_attempt_at)}>
      {leftMs > 0 ? `${number} in ${remainingTime(leftMs)}` : `${number} is due now`}
    </Text>
  );
}

/** The reason, and what is known of its end. */
function HeldFor({
  delivery: { behind_event_id: eventId, wait_seconds: seconds },
  reason,
}: {
  readonly delivery: Waiting;
  readonly reason: NonNullable<Delivery['held_for']>;
}) {
  if (reason === 'in_line' && typeof eventId === 'number') {
    return (
      <>
        Waiting: behind{' '}
        <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(eventId) }} inherit underline="always">
          event {eventId}
        </PageLink>
      </>
    );
  }
  if (reason === 'at_rate' && typeof seconds === 'number') {
    return `${HELD.at_rate}, about ${remainingTime(seconds * 1_000)}`;
  }
  return HELD[reason];
}
