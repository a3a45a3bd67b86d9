import { Text } from '@mantine/core';
import type { Delivery } from '../api/answers';
import { useNow } from '../elements/clock';
import { exactTime, remainingTime } from '../elements/time';

/** Why a delivery has no next attempt yet. */
const HELD: Record<NonNullable<Delivery['held_for']>, string> = {
  suspended: 'Waits: the account is suspended',
  paused: 'Waits: the endpoint is paused',
  disabled: 'Waits: the endpoint is disabled',
  unverified: 'Waits: the host has not answered its challenge',
  hanging: 'Waits: the endpoint answers nothing',
  at_cap: 'Waits: the endpoint has as many requests as it may',
  at_rate: "Waits for its turn in the endpoint's rate",
  in_line: 'Waits: an earlier event comes first',
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
