import { sumOf, valueOf, type ChartPart, type ChartProps } from './chart-part';
import { TimeFrame, type Plot } from './time-frame';

/** A column for each row, with the parts upon each other. */
export function ColumnChart(props: ChartProps) {
  const { rows, parts } = props;
  return (
    <TimeFrame {...props} most={Math.max(...rows.map((row) => sumOf(row, parts)))}>
      {(plot) =>
        parts.map((part, index) => (
          <path key={part.name} fill={part.color} d={columns(props.rows, parts.slice(0, index), part, plot)} />
        ))
      }
    </TimeFrame>
  );
}

/** From this width on, columns have gaps between them. Narrower columns with gaps could hardly be seen. */
const WIDE = 5;
const GAP_SHARE = 0.15;

/** All rectangles of a part as one path: hundreds of elements would be slow. */
function columns(rows: ChartProps['rows'], below: readonly ChartPart[], part: ChartPart, plot: Plot): string {
  const gap = plot.slot < WIDE ? 0 : plot.slot * GAP_SHARE;
  return rows
    .map((row, index) => {
      const value = valueOf(row, part);
      const from = sumOf(row, below);
      if (value === 0) return '';
      const [bottom, top] = [plot.top(from), plot.top(from + value)];
      return `M${plot.left(index) + gap / 2},${bottom}V${top}h${plot.slot - gap}V${bottom}Z`;
    })
    .join('');
}
