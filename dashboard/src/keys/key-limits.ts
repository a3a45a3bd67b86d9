import { formatDuration } from '../../../src/domain/duration';
import type { Key } from '../api/answers';

/** What a key that never expires is shown and sent as. */
export const FOR_EVER = '';

const LIFETIMES = [
  { value: FOR_EVER, label: 'Never' },
  { value: '7d', label: 'In 7 days' },
  { value: '30d', label: 'In 30 days' },
  { value: '90d', label: 'In 90 days' },
  { value: '365d', label: 'In 1 year' },
];

/** How long the key was to live, as a duration: `90d`. */
export function lifetimeOf({ created_at, expires_at }: Key): string {
  return expires_at === null ? FOR_EVER : formatDuration(Date.parse(expires_at) - Date.parse(created_at));
}

/** The expiries to choose from, with that of the key that is replaced. */
export function lifetimesWith(own: string): { value: string; label: string }[] {
  return LIFETIMES.some(({ value }) => value === own) ? LIFETIMES : [...LIFETIMES, { value: own, label: `In ${own}` }];
}
