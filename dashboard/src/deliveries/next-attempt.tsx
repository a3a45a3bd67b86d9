import { Text } from '@mantine/core';
import type { Delivery } from '../api/answers';
import { useNow } from '../elements/clock';
import { exactTime, remainingTime } from '../elements/time';

/** Counts down to the next attempt. */
export function NextAttempt({
  delivery,
}: {
  readonly delivery: Pick<Delivery, 'next_attempt_at' | 'attempt_count' | 'max_attempts'>;
}) {
  const now = useNow();
  if (delivery.next_attempt_at === null) return null;
  const leftMs = new Date(delivery.next_attempt_at).getTime() - now;
  const number = `Attempt ${delivery.attempt_count + 1} of ${delivery.max_attempts}`;
  return (
    <Text size="sm" className="figures" title={exactTime(delivery.next_attempt_at)}>
      {leftMs > 0 ? `${number} in ${remainingTime(leftMs)}` : `${number} is due now`}
    </Text>
  );
}
