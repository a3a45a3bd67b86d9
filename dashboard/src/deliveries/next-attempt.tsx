import { Text } from '@mantine/core';
import type { Delivery } from '../api/answers';
import { useNow } from '../elements/clock';
import { exactTime, remainingTime } from '../elements/time';

/** Why a delivery has no next attempt yet. */
const HELD: Record<NonNullable<Delivery['held_for']>, string> = {
  suspended: 'Waiting: the account is suspended',
  paused: 'Waiting: the endpoint is paused',
  disabled: 'Waiting: the endpoint is disabled',
  unverified: 'Waiting: the host has not answered its challenge',
  hanging: 'Waiting: the endpoint does not answer',
  at_cap: 'Waiting: the endpoint has reached its limit of concurrent requests',
  at_rate: 'Waiting: the endpoint has reached its rate limit',
  in_line: 'Waiting: an earlier event goes first',
};

/** Counts down to the next attempt, or says what the delivery waits for. */
export function NextAttempt({
  delivery,
}: {
  readonly delivery: Pick<Delivery, 'next_attempt_at' | 'held_for' | 'held_since' | 'attempt_count' | 'max_attempts'>;
}) {
  const now = useNow();
  if (delivery.held_for !== null) {
    return (
      <Text size="sm" title={delivery.held_since === null ? '' : `since ${exactTime(delivery.held_since)}`}>
        {HELD[delivery.held_for]}
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
