import { HEALTH_WINDOWS, spansOfWindow, type HealthWindow } from '../../../src/domain/health-windows';
import type { EndpointHistory } from '../api/answers';
import { dayOf, timeOfDay } from '../elements/written-time';

/** Attempts of a window: a part of what `GET …/health` answers, of an endpoint and of the account. */
export type AttemptHistory = Pick<EndpointHistory, 'window' | 'until' | 'series'>;
/** The attempts that were answered in five minutes or in an hour. */
export type AttemptSpan = AttemptHistory['series'][number];

/** The windows, for a `SegmentedControl`: its value is the `window` of `GET …/health`. */
export const WINDOW_CHOICES: readonly { readonly value: HealthWindow; readonly label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

/** Every span of a window, the oldest first: the server leaves out those without attempts. */
export function fillSpans({ window, until, series }: AttemptHistory): AttemptSpan[] {
  const known = new Map(series.map((span) => [span.from, span]));
  return spansOfWindow(new Date(until), window).map((at) => {
    const from = at.toISOString();
    return known.get(from) ?? { from, ...NO_ATTEMPTS };
  });
}

const NO_ATTEMPTS = { attempts: 0, succeeded: 0, failed: 0, retries: 0, failed_by: {}, latency_ms: null };

/** How long the spans of a window are, in words. */
export function grainInWords(window: HealthWindow): string {
  return HEALTH_WINDOWS[window].grain === '5m' ? '5 minutes' : 'hour';
}

/** The start of a span as on an axis: a clock time if the window is a day at most, else a day. */
export function axisTime(from: string, window: HealthWindow): string {
  return window === '1h' || window === '24h' ? timeOfDay(from) : dayOf(from);
}
