import { ChartFrame } from './chart-frame';
import { sumOf, valueOf, type ChartProps } from './chart-part';
import classes from './chart.module.css';
import { createScale, type Scale } from './scale';

interface ProviderBarsProps extends ChartProps {
  /** Shorter: for the axis. */
  readonly formatAxis: (value: number) => string;
}

const ROW_HEIGHT = 44;
const BAR_HEIGHT = 18;
const AXIS_HEIGHT = 28;
const NAME_WIDTH = 92;
/** Half of the last number of the axis. */
const RIGHT = 24;

/** Lying bars, with the parts after each other. */
export function ProviderBars({ formatAxis, ...chart }: ProviderBarsProps) {
  const { rows, parts } = chart;
  const height = rows.length * ROW_HEIGHT;
  const most = Math.max(...rows.map((row) => sumOf(row, parts)));
  return (
    <ChartFrame
      {...chart}
      height={height + AXIS_HEIGHT}
      areaIn={(width) => ({ left: NAME_WIDTH, top: 0, width: width - NAME_WIDTH - RIGHT, height })}
      direction="down"
    >
      {(area) => {
        const scale = createScale(most, area.width, false);
        return (
          <>
            {scale.ticks.map((tick) => (
              <g key={tick} transform={`translate(${area.left + scale.of(tick)})`}>
                <line y2={height} className={classes['line']} />
                <text y={height + 20} textAnchor="middle" className={classes['text']}>
                  {formatAxis(tick)}
                </text>
              </g>
            ))}
            <Bars rows={rows} parts={parts} scale={scale} />
          </>
        );
      }}
    </ChartFrame>
  );
}

function Bars({ rows, parts, scale }: Pick<ChartProps, 'rows' | 'parts'> & { readonly scale: Scale }) {
  return rows.map((row, index) => (
    <g key={row.id} transform={`translate(${NAME_WIDTH} ${(index + 0.5) * ROW_HEIGHT})`}>
      <text x={-12} dy="0.35em" textAnchor="end" className={classes['text']}>
        {row.name}
      </text>
      {parts.map((part, at) => {
        const from = sumOf(row, parts.slice(0, at));
        return (
          <rect
            key={part.name}
            x={scale.of(from)}
            y={-BAR_HEIGHT / 2}
            width={scale.of(valueOf(row, part))}
            height={BAR_HEIGHT}
            fill={part.color}
          />
        );
      })}
    </g>
  ));
}
