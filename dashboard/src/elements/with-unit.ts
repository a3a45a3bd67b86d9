/** A number and its unit, which no line break parts: `38 ms`, `99.2 %`. */
export function withUnit(value: number | string, unit: string): string {
  return `${value}\u00a0${unit}`;
}

/**
 * A part of a whole in percent: `99.2 %`. A part above zero is never `0.0 %`, and a part of less than all is never
 * `100.0 %`: they are `< 0.1 %` and `> 99.9 %`.
 */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '–';
  const rounded = ((part / whole) * 100).toFixed(1);
  if (rounded === '0.0' && part > 0) return withUnit('<\u00a00.1', '%');
  if (rounded === '100.0' && part < whole) return withUnit('>\u00a099.9', '%');
  return withUnit(rounded, '%');
}
