import type { Timings } from '../domain/attempt-timings';
import type { Phase } from './classify-failure';

/** When each phase ended, on the clock of `performance.now()`. */
export interface Marks {
  lookup?: number;
  connect?: number;
  tls?: number;
}

/** The part of the timings that counts the time until a failure in this phase. */
const PART_OF: Readonly<Record<Phase, keyof Timings>> = {
  lookup: 'dns',
  proxy: 'connect',
  tunnel: 'connect',
  connect: 'connect',
  tls: 'tls',
  answer: 'first',
};

/**
 * Turns the ends of phases into durations.
 *
 * @param began when the attempt began
 * @param decided when the status or the failure arrived, and in which phase
 */
export function timingsOf(
  began: number,
  marks: Marks,
  decided: { readonly at: number; readonly phase: Phase },
): Timings {
  const ends: [keyof Timings, number | undefined][] = [
    ['dns', marks.lookup],
    ['connect', marks.connect],
    ['tls', marks.tls],
    [PART_OF[decided.phase], decided.at],
  ];
  const timings: { -readonly [Part in keyof Timings]: Timings[Part] } = {};
  let last = 0;
  for (const [part, end] of ends) {
    if (end === undefined) continue;
    // Ends are rounded, not durations, so that the durations add up.
    const at = Math.round(end - began);
    timings[part] = at - last + (timings[part] ?? 0);
    last = at;
  }
  return timings;
}
