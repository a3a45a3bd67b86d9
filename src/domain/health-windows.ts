const MINUTE_MS = 60_000;

/** The spans by which attempts are counted: how long one is, in milliseconds. */
export const GRAIN_MS = { '5m': 5 * MINUTE_MS, '1h': 60 * MINUTE_MS } as const;
export type CountGrain = keyof typeof GRAIN_MS;

/** Windows of health: the spans that each is divided into, and their number. */
export const HEALTH_WINDOWS = {
  '1h': { grain: '5m', spans: 12 },
  '24h': { grain: '5m', spans: 288 },
  '7d': { grain: '1h', spans: 168 },
  '30d': { grain: '1h', spans: 720 },
} as const satisfies Record<string, { readonly grain: CountGrain; readonly spans: number }>;
export type HealthWindow = keyof typeof HEALTH_WINDOWS;

/** The start of the span that contains a time. */
export function spanOf(at: Date, grain: CountGrain): Date {
  return new Date(Math.floor(at.getTime() / GRAIN_MS[grain]) * GRAIN_MS[grain]);
}

/** Days in a time zone, by their names. */
function createDays(timeZone: string): (at: Date) => string {
  const day = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' });
  return (at) => day.format(at);
}

/**
 * The days of a window in a time zone, the oldest first: of each the spans that start in it, by their starts. A day begins with
 * its first span: where clocks differ from UTC by half an hour, that is half an hour after midnight.
 */
export function daysOfWindow(now: Date, window: HealthWindow, timeZone: string): Date[][] {
  const dayOf = createDays(timeZone);
  const days = new Map<string, Date[]>();
  for (const at of spansOfWindow(now, window)) {
    const name = dayOf(at);
    const spans = days.get(name);
    if (spans) spans.push(at);
    else days.set(name, [at]);
  }
  return [...days.values()];
}

/** The starts of the spans of a window, the oldest first. The last span contains `now`. */
export function spansOfWindow(now: Date, window: HealthWindow): Date[] {
  const { grain, spans } = HEALTH_WINDOWS[window];
  const lastMs = spanOf(now, grain).getTime();
  return Array.from({ length: spans }, (_, index) => new Date(lastMs - (spans - 1 - index) * GRAIN_MS[grain]));
}
