const HOUR_MS = 3_600_000;

/** Times back from now that can be chosen: hours, and what they are called. */
export const SPANS = [
  { value: '1', label: 'the last hour' },
  { value: '6', label: 'the last 6 hours' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
];

/** The time so many hours ago. */
export function timeBefore(hours: string): string {
  return new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
}
