import type { Overview } from '../api/answers';

/** A number of deliveries, which may be a lower bound: `42`, `10,000 or more`. */
export function countInWords({ deliveries, at_least: isLeast }: Overview['backlog']): string {
  return `${deliveries.toLocaleString('en')}${isLeast ? ' or more' : ''}`;
}
