import { Text, Tooltip } from '@mantine/core';
import { useNow } from './clock';
import { withUnit } from './with-unit';
import { exactTime } from './written-time';

export { clockTime, exactTime } from './written-time';

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly seconds: number }[] = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
];

/** How long ago, or in how long; the exact time is in the tooltip and for screen readers. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <Tooltip label={exactTime(at)}>
      <Text component="time" inherit dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(new Date(at).getTime() - now)}
      </Text>
    </Tooltip>
  );
}

/** `in 5 minutes`, `yesterday`, `just now`. */
function relativeTime(differenceMs: number): string {
  const seconds = Math.round(differenceMs / 1_000);
  const step = STEPS.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (step) return RELATIVE.format(Math.trunc(seconds / step.seconds), step.unit);
  return Math.abs(seconds) < 10 ? 'just now' : RELATIVE.format(seconds, 'second');
}

/** `4 min 09 s`, `1 h 30 min`: what is left of a wait. */
export function remainingTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return withUnit(seconds, 's');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${withUnit(minutes, 'min')} ${twoDigits(seconds, 's')}`;
  return `${withUnit(Math.floor(minutes / 60), 'h')} ${twoDigits(minutes, 'min')}`;
}

function twoDigits(value: number, unit: string): string {
  return withUnit(String(value % 60).padStart(2, '0'), unit);
}

/** `38 ms`, `1.2 s`. */
export function latency(milliseconds: number): string {
  return milliseconds < 1_000 ? withUnit(milliseconds, 'ms') : withUnit((milliseconds / 1_000).toFixed(1), 's');
}
