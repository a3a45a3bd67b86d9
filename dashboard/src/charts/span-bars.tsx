import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { pictureOf, type PictureProps } from './picture';

/** A stacked bar for each span. A picture only: `HistoryChart` has the figures in a table too. */
export function SpanBars(props: PictureProps) {
  return (
    <BarChart
      {...pictureOf(props)}
      type="stacked"
      barProps={{ isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false, barCategoryGap: props.rows.length > 100 ? 0 : '15%' }}
    />
  );
}
