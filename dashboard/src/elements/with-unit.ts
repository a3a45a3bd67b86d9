/** A number and its unit, which no line break parts: `38 ms`, `99.2 %`. */
export function withUnit(value: number | string, unit: string): string {
  return `${value}\u00a0${unit}`;
}
