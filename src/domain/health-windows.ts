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

/** The starts of the spans of a window, the oldest first. The last span contains `now`. */
export function spansOfWindow(now: Date, window: HealthWindow): Date[] {
  const { grain, spans } = HEALTH_WINDOWS[window];
  const lastMs = spanOf(now, grain).getTime();
  return Array.from({ length: spans }, (_, index) => new Date(lastMs - (spans - 1 - index) * GRAIN_MS[grain]));
}
