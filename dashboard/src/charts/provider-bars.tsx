import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';

/** A part of every bar. */
export interface BarPart {
  /** The field of the rows. */
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

interface ProviderBarsProps {
  /** One row a bar: its name, and a number for each part. */
  readonly rows: readonly Record<string, string | number>[];
  readonly nameOfRow: string;
  readonly parts: readonly BarPart[];
  readonly format: (value: number) => string;
  /** Shorter: for the axis. */
  readonly formatAxis: (value: number) => string;
}

const BAR_HEIGHT = 44;
const AXIS_HEIGHT = 64;
const NAME_WIDTH = 92;

/** Lying, stacked bars. A picture only: the page has a table with the same figures beside it. */
export function ProviderBars({ rows, nameOfRow, parts, format, formatAxis }: ProviderBarsProps) {
  return (
    <BarChart
      aria-hidden
      h={rows.length * BAR_HEIGHT + AXIS_HEIGHT}
      data={[...rows]}
      dataKey={nameOfRow}
      type="stacked"
      orientation="vertical"
      series={[...parts]}
      valueFormatter={format}
      withLegend
      barChartProps={{ accessibilityLayer: false }}
      yAxisProps={{ width: NAME_WIDTH, interval: 0 }}
      xAxisProps={{ tickFormatter: formatAxis }}
      gridAxis="y"
      tickLine="none"
      barProps={{ isAnimationActive: false, barSize: 18 }}
      tooltipAnimationDuration={0}
    />
  );
}
