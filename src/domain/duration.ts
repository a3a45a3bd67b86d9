const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a duration such as `100ms`, `30s`, `5m`, `2h` or `1d`.
 *
 * @returns whole milliseconds
 * @throws RangeError when the text is not a number followed by one of the units
 */
export function parseDurationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unitMs = match && UNIT_MS[match[2]!];
  if (!match || !unitMs) {
    throw new RangeError(`"${text}" is not a duration; write a number and a unit: 100ms, 30s, 5m, 2h or 1d`);
  }
  return Math.round(Number(match[1]) * unitMs);
}

/** Formats milliseconds like the documentation: with the largest unit that divides them (`300000` → `5m`). */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const unitMs = UNIT_MS[unit]!;
    // 24 h stays "24h", as people call the last retry.
    if (ms >= unitMs && ms % unitMs === 0 && (unit !== 'd' || ms > unitMs)) return `${ms / unitMs}${unit}`;
  }
  return ms === 0 ? '0s' : `${ms}ms`;
}
