/** One of the numbers that a chart shows. */
export interface ChartPart {
  /** The field of the values. */
  readonly name: string;
  readonly label: string;
  /** A colour of CSS. */
  readonly color: string;
  /** For lines: dashes, so that they differ without colours. */
  readonly dashes?: string;
  /** Its numbers in words, where they differ from the chart's. */
  readonly format?: (value: number) => string;
}

/** The numbers at one place of an axis, by the names of the parts; null for none. */
export interface ChartRow {
  /** Tells it from the others: a time, a name. */
  readonly id: string;
  /** Beside the axis. */
  readonly name: string;
  /** Over the numbers when they are pointed at. */
  readonly title: string;
  /** Of a row that stands for a time: minutes since the reader's midnight. */
  readonly minuteOfDay?: number;
  readonly values: Readonly<Record<string, number | null>>;
}

/** What every chart draws. A page has the same numbers in a table beside it. */
export interface ChartProps {
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly rows: readonly ChartRow[];
  readonly parts: readonly ChartPart[];
  /** A number in words. */
  readonly format: (value: number) => string;
  /** Opens what a row stands for: on a click on it, and on Enter. */
  readonly onOpen?: (row: ChartRow) => void;
}

/** The sum of the numbers of these parts. */
export function sumOf(row: ChartRow, parts: readonly ChartPart[]): number {
  return parts.reduce((sum, part) => sum + valueOf(row, part), 0);
}

/** The number of a part; 0 for none. */
export function valueOf({ values }: ChartRow, { name }: ChartPart): number {
  return values[name] ?? 0;
}
