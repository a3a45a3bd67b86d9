import { remainingTime } from '../elements/time';
import { timeInSentence } from '../elements/written-time';
import type { Backlog } from './backlog-queries';

/** The number of a backlog: `1,741`, `10,000 or more`. */
export function numberOf({ deliveries, isLeast }: Backlog): string {
  return `${deliveries.toLocaleString('en')}${isLeast ? ' or more' : ''}`;
}

/** How long a backlog takes at a rate, and when it is through, if nothing new arrives. */
export function timeToSend({ deliveries, isLeast }: Backlog, perSecond: number, nowMs: number): string {
  const takesMs = (deliveries / perSecond) * 1_000;
  if (isLeast) return `${deliveries.toLocaleString('en')} of them take ${remainingTime(takesMs)}; all take longer`;
  return `about ${remainingTime(takesMs)}: through ${timeInSentence(nowMs + takesMs, nowMs)}, or later if more arrives`;
}
