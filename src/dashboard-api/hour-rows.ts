const HOUR_MS = 3_600_000;

/** The last full hours of a window, and the one that runs. */
export interface HourRows<Counts> {
  /** When the first of them begins. */
  readonly from: Date;
  /** A row for each hour, empty ones too; oldest first. */
  fill(): ({ from: string } & Counts)[];
  /** The row of the hour in which `at` is; undefined outside the window. */
  rowAt<Row>(rows: readonly Row[], at: Date): Row | undefined;
}

/** @param empty makes the counts of an hour in which nothing happened */
export function createHourRows<Counts extends object>(now: Date, hours: number, empty: () => Counts): HourRows<Counts> {
  const firstMs = Math.floor(now.getTime() / HOUR_MS - (hours - 1)) * HOUR_MS;
  return {
    from: new Date(firstMs),
    fill: () =>
      Array.from({ length: hours }, (_, index) => ({
        from: new Date(firstMs + index * HOUR_MS).toISOString(),
        ...empty(),
      })),
    rowAt: (rows, at) => rows[Math.floor((at.getTime() - firstMs) / HOUR_MS)],
  };
}
