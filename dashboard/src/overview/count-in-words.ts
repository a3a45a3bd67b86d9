import type { Backlog } from '../api/answers';

/** A number of deliveries, which may be a lower bound: `42`, `10,000 or more`. */
export function countInWords({ deliveries, at_least: isLeast }: Omit<Backlog, 'counted_at'>): string {
  return `${deliveries.toLocaleString('en')}${isLeast ? ' or more' : ''}`;
}
