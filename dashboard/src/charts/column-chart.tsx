import { sumOf, valueOf, type ChartPart, type ChartProps } from './chart-part';
import { CutMarks } from './cut-marks';
import { endOfAxis } from './end-of-axis';
import { Line } from './line-chart';
import { TimeFrame, type Plot } from './time-frame';

/**
 * A column for each row, with the parts upon each other. A part with dashes is a rate: a line, with an axis of its own. A column
 * that is far higher than the others is cut, and has its number beside it.
 */
export function ColumnChart(props: ChartProps) {
  const { rows } = props;
  const rate = props.parts.find(({ dashes }) => dashes !== undefined);
  const parts = props.parts.filter((part) => part !== rate);
  const rateAxis = rate && {
    most: Math.max(...rows.map((row) => valueOf(row, rate))),
    format: rate.format ?? props.format,
  };
  return (
    <TimeFrame {...props} most={endOfAxis(rows.map((row) => sumOf(row, parts)))} rate={rateAxis}>
      {(plot) => (
        <>
          {parts.map((part, index) => (
            <path key={part.name} fill={part.color} d={columns({ rows, parts }, index, plot)} />
          ))}
          <CutMarks rows={rows} parts={parts} format={props.format} plot={plot} />
          {rate && <Line rows={rows} part={rate} plot={{ ...plot, top: plot.rateTop }} />}
        </>
      )}
    </TimeFrame>
  );
}

/** From this width on, columns have gaps between them. Narrower columns with gaps could hardly be seen. */
const WIDE = 5;
const GAP_SHARE = 0.15;

/** All rectangles of a part as one path: hundreds of elements would be slow. */
function columns({ rows, parts }: Pick<ChartProps, 'rows' | 'parts'>, part: number, plot: Plot): string {
  const gap = plot.slot < WIDE ? 0 : plot.slot * GAP_SHARE;
  const below: readonly ChartPart[] = parts.slice(0, part);
  return rows
    .map((row, index) => {
      const value = valueOf(row, parts[part]!);
      if (value === 0) return '';
      // A column that is cut keeps the proportions of its parts: cut off at the top, failures would not be seen.
      const scale = Math.min(1, plot.end / sumOf(row, parts));
      const from = sumOf(row, below);
      const [bottom, top] = [plot.top(from * scale), plot.top((from + value) * scale)];
      return `M${plot.left(index) + gap / 2},${bottom}V${top}h${plot.slot - gap}V${bottom}Z`;
    })
    .join('');
}
