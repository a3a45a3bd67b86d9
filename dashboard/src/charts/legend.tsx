import type { ChartPart } from './chart-part';
import classes from './chart.module.css';

interface LegendProps {
  readonly parts: readonly ChartPart[];
}

/** Which colour is what. */
export function Legend({ parts }: LegendProps) {
  return (
    <div className={classes['legend']}>
      {parts.map((part) => (
        <span key={part.name} className={classes['part']}>
          <Mark {...part} />
          {part.label}
        </span>
      ))}
    </div>
  );
}

/** A part as it is drawn: a line with its dashes, or its colour. */
export function Mark({ color, dashes }: Pick<ChartPart, 'color' | 'dashes'>) {
  return (
    <svg width={20} height={10} className={classes['mark']}>
      {dashes === undefined ? (
        <rect x={5} width={10} height={10} rx={3} fill={color} />
      ) : (
        <line x2={20} y1={5} y2={5} stroke={color} strokeWidth={2} strokeDasharray={dashes} />
      )}
    </svg>
  );
}
