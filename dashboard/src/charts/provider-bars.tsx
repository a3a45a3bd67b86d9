import { useElementSize } from '@mantine/hooks';
import { valueOf, type ChartProps } from './chart-part';
import classes from './chart.module.css';
import { Legend } from './legend';
import { PointedAt } from './pointed-at';
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
export function ProviderBars({ label, formatAxis, ...chart }: ProviderBarsProps) {
  const { ref, width } = useElementSize();
  const { rows, parts } = chart;
  const area = { left: NAME_WIDTH, top: 0, width: width - NAME_WIDTH - RIGHT, height: rows.length * ROW_HEIGHT };
  const sums = rows.map((row) => parts.reduce((sum, part) => sum + valueOf(row, part), 0));
  const scale = createScale(Math.max(...sums), area.width, false);
  return (
    <div role="img" aria-label={label}>
      <Legend parts={parts} />
      <div ref={ref} className={classes['frame']} style={{ height: area.height + AXIS_HEIGHT }}>
        {area.width > 0 && (
          <>
            <svg width={width} height={area.height + AXIS_HEIGHT}>
              {scale.ticks.map((tick) => (
                <g key={tick} transform={`translate(${area.left + scale.of(tick)})`}>
                  <line y2={area.height} className={classes['line']} />
                  <text y={area.height + 20} textAnchor="middle" className={classes['text']}>
                    {formatAxis(tick)}
                  </text>
                </g>
              ))}
              <Bars rows={rows} parts={parts} scale={scale} />
            </svg>
            <PointedAt {...chart} area={area} direction="down" />
          </>
        )}
      </div>
    </div>
  );
}

function Bars({ rows, parts, scale }: Pick<ChartProps, 'rows' | 'parts'> & { readonly scale: Scale }) {
  return rows.map((row, index) => (
    <g key={row.id} transform={`translate(${NAME_WIDTH} ${(index + 0.5) * ROW_HEIGHT})`}>
      <text x={-12} dy="0.35em" textAnchor="end" className={classes['text']}>
        {row.name}
      </text>
      {parts.map((part, at) => {
        const from = parts.slice(0, at).reduce((sum, other) => sum + valueOf(row, other), 0);
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
