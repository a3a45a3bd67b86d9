const HOUR_MS = 3_600_000;

/** The time so many hours ago. */
export function timeBefore(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}
