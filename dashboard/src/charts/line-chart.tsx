import { valueOf, type ChartPart, type ChartProps } from './chart-part';
import { TimeFrame, type Plot } from './time-frame';

/** A line for each part. */
export function LineChart(props: ChartProps) {
  const { rows, parts } = props;
  const most = Math.max(...rows.flatMap((row) => parts.map((part) => valueOf(row, part))));
  return (
    <TimeFrame {...props} most={most}>
      {(plot) => parts.map((part) => <Line key={part.name} rows={rows} part={part} plot={plot} />)}
    </TimeFrame>
  );
}

interface LineProps extends Pick<ChartProps, 'rows'> {
  readonly part: ChartPart;
  readonly plot: Pick<Plot, 'left' | 'slot' | 'top'>;
}

/** The line of a part, broken where it has no number. */
export function Line({ rows, part, plot }: LineProps) {
  const points = pointsOf(rows, part, plot);
  return (
    <g stroke={part.color} fill="none">
      <path d={line(points)} strokeWidth={2} strokeDasharray={part.dashes} />
      <path d={dots(points)} strokeWidth={4} strokeLinecap="round" />
    </g>
  );
}

/** `12.5,80`; undefined where there is no number. */
type Point = string | undefined;

function pointsOf(rows: ChartProps['rows'], { name }: ChartPart, { left, slot, top }: LineProps['plot']): Point[] {
  return rows.map(({ values }, index) => {
    const value = values[name];
    return value === null || value === undefined ? undefined : `${left(index) + slot / 2},${top(value)}`;
  });
}

function line(points: readonly Point[]): string {
  return points
    .map((point, index) => (point === undefined ? '' : `${points[index - 1] === undefined ? 'M' : 'L'}${point}`))
    .join('');
}

/** A number between two that are missing is a dot, and no line. */
function dots(points: readonly Point[]): string {
  return points.map((point) => (point === undefined ? '' : `M${point}h0`)).join('');
}
