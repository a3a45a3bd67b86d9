import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';

/** One part of each bar. */
export interface DaySeries {
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

interface DayBarsProps {
  /** By day: `day`, and the number of each series. */
  readonly rows: readonly Record<string, string | number>[];
  readonly series: readonly DaySeries[];
}

const HEIGHT = 220;

/** A bar for each day. A picture only: the page has the figures in a table too. */
export function DayBars({ rows, series }: DayBarsProps) {
  return (
    <BarChart
      aria-hidden
      h={HEIGHT}
      data={[...rows]}
      dataKey="day"
      type="stacked"
      series={series.map((part) => ({ ...part }))}
      withLegend={series.length > 1}
      tickLine="none"
      gridAxis="x"
      yAxisProps={{ width: 44, allowDecimals: false }}
      barProps={{ isAnimationActive: false }}
      // A picture takes no focus.
      barChartProps={{ accessibilityLayer: false }}
      tooltipAnimationDuration={0}
    />
  );
}
