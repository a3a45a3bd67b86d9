import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { pictureOf, type PictureProps } from './picture';

/** A line for each part, broken where it has no value. A picture only: `HistoryChart` has the figures in a table too. */
export function SpanLines(props: PictureProps) {
  return (
    <LineChart
      {...pictureOf(props)}
      curveType="linear"
      connectNulls={false}
      // A span between two without attempts is a dot, and no line.
      dotProps={{ r: 2, strokeWidth: 0 }}
      activeDotProps={{ r: 3 }}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ accessibilityLayer: false }}
    />
  );
}
