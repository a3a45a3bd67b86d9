import type { HealthWindow } from '../../../src/domain/health-windows';
import { axisTime, spanTime } from './history';

/** One of the numbers that a chart shows. */
export interface ChartPart {
  /** The field of the rows. */
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** For lines: dashes, so that they differ without colours. */
  readonly strokeDasharray?: string;
}

/** What a chart draws. */
export interface PictureProps {
  /** A row for each span: `from`, and a number or null for each part. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  readonly parts: readonly ChartPart[];
  readonly window: HealthWindow;
  /** A value in words; also at the axis. */
  readonly format: (value: number) => string;
}

/** In pixels. */
export const CHART_HEIGHT = 240;

/** What all charts of spans have in common. */
export function pictureOf({ rows, parts, window, format }: PictureProps) {
  return {
    'aria-hidden': true,
    h: CHART_HEIGHT,
    data: rows.map((row) => ({ ...row })),
    dataKey: 'from',
    series: parts.map((part) => ({ ...part })),
    valueFormatter: format,
    withLegend: true,
    tickLine: 'none' as const,
    gridAxis: 'x' as const,
    xAxisProps: { tickFormatter: (from: string) => axisTime(from, window), minTickGap: 24 },
    yAxisProps: { width: 68, allowDecimals: false },
    // The library asks for a label even while the pointer is at no span.
    tooltipProps: { labelFormatter: (from: unknown) => (typeof from === 'string' ? spanTime(from) : '') },
    tooltipAnimationDuration: 0,
  };
}
