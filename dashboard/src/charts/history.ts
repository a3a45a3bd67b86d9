import { daysOfWindow, HEALTH_WINDOWS, spansOfWindow, type HealthWindow } from '../../../src/domain/health-windows';
import type { EndpointHistory } from '../api/answers';
import { localZoneName } from '../elements/local-time';
import { dayAndTime, dayOf, timeOfDay } from '../elements/written-time';

/** Attempts of a window: a part of what `GET …/health` answers, of an endpoint and of the account. */
export type AttemptHistory = Pick<EndpointHistory, 'window' | 'until' | 'series'>;
/** The attempts that were answered in five minutes, in an hour or on a day. */
export type AttemptSpan = AttemptHistory['series'][number];

/** The windows, for a `SegmentedControl`: its value is the `window` of `GET …/health`. */
export const WINDOW_CHOICES: readonly { readonly value: HealthWindow; readonly label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

const DEFAULT_WINDOW: HealthWindow = '24h';

/** The window that an address names. */
export function windowOf(text: string | undefined): HealthWindow {
  return text !== undefined && text in HEALTH_WINDOWS ? (text as HealthWindow) : DEFAULT_WINDOW;
}

/** Above a week charts are by the reader's day: 720 hours would be columns of one pixel. */
function isByDay(window: HealthWindow): boolean {
  return window === '30d';
}

/** The query of `GET …/health`. */
export function historyQuery(window: HealthWindow): string {
  return new URLSearchParams({ window, ...(isByDay(window) && { days_in: localZoneName() }) }).toString();
}

/** Every span of a window, the oldest first: the server leaves out those without attempts. */
export function fillSpans({ window, until, series }: AttemptHistory): AttemptSpan[] {
  const known = new Map(series.map((span) => [span.from, span]));
  const now = new Date(until);
  const starts = isByDay(window)
    ? daysOfWindow(now, window, localZoneName()).map(([first]) => first!)
    : spansOfWindow(now, window);
  return starts.map((at) => {
    const from = at.toISOString();
    return known.get(from) ?? { from, ...NO_ATTEMPTS };
  });
}

const NO_ATTEMPTS = { attempts: 0, succeeded: 0, failed: 0, retries: 0, failed_by: {}, latency_ms: null };

/** How long the spans are by which a window is counted, in words. */
export function grainInWords(window: HealthWindow): string {
  return HEALTH_WINDOWS[window].grain === '5m' ? '5 minutes' : 'hour';
}

/** How long the spans are by which a window is shown, in words. */
export function stepInWords(window: HealthWindow): string {
  return isByDay(window) ? 'day' : grainInWords(window);
}

/** The start of a span as on an axis: a clock time if the window is a day at most, else a day. */
export function axisTime(from: string, window: HealthWindow): string {
  return window === '1h' || window === '24h' ? timeOfDay(from) : dayOf(from);
}

/** A span in words. */
export function spanTitle(from: string, window: HealthWindow): string {
  return isByDay(window) ? dayOf(from) : dayAndTime(from);
}
