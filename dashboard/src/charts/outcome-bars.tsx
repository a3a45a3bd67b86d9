import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import type { Overview } from '../api/answers';
import { OUTCOMES } from '../overview/outcomes';

interface OutcomeBarsProps extends Pick<Overview, 'hours'> {
  readonly height: number;
}

/** A bar for each hour, by what became of its deliveries. A picture only: the page has the figures in a table too. */
export function OutcomeBars({ hours, height }: OutcomeBarsProps) {
  const isLong = hours.length > 24;
  const rows = hours.map(({ from, ...counts }) => ({ ...counts, hour: hourLabel(from, isLong) }));
  // What never happened needs no place in the legend.
  const series = OUTCOMES.filter(({ name }) => hours.some((hour) => hour[name] > 0));
  return (
    <BarChart
      aria-hidden
      h={height}
      data={rows}
      dataKey="hour"
      type="stacked"
      series={series.map((outcome) => ({ ...outcome }))}
      withLegend
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

function hourLabel(from: string, withDay: boolean): string {
  const date = new Date(from);
  return date.toLocaleString(
    'en',
    withDay ? { weekday: 'short', hour: 'numeric' } : { hour: '2-digit', hour12: false },
  );
}
