import { useState, type CSSProperties, type MouseEvent } from 'react';
import type { ChartProps, ChartRow } from './chart-part';
import classes from './chart.module.css';
import { Mark } from './legend';

/** The part of a picture with the rows, in pixels. */
export interface ChartArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface PointedAtProps extends Omit<ChartProps, 'label'> {
  readonly area: ChartArea;
  /** Whether the rows are beside each other, or below each other. */
  readonly direction: 'across' | 'down';
}

/** Lies over a chart: shows the numbers of the row that the mouse points at, or that a finger touched. */
export function PointedAt({ rows, parts, format, area, direction }: PointedAtProps) {
  const [index, setIndex] = useState<number>();
  const isAcross = direction === 'across';
  const slot = (isAcross ? area.width : area.height) / rows.length;
  const look = ({ clientX, clientY, currentTarget }: MouseEvent): void => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const at = Math.floor((isAcross ? clientX - left : clientY - top) / slot);
    setIndex(Math.min(rows.length - 1, Math.max(0, at)));
  };
  const row = index === undefined ? undefined : rows[index];
  const start = (index ?? 0) * slot;
  return (
    <div className={classes['area']} style={area} onMouseMove={look} onMouseLeave={() => setIndex(undefined)}>
      {row && (
        <>
          <div
            className={classes['pointed']}
            style={isAcross ? { left: start, width: slot } : { top: start, height: slot }}
          />
          <Numbers
            row={row}
            parts={parts}
            format={format}
            place={isAcross ? besideSlot(start, slot, area.width) : { top: start + slot, left: 0 }}
          />
        </>
      )}
    </div>
  );
}

/** On the side with more room, so that it never sticks out. */
function besideSlot(start: number, slot: number, width: number): CSSProperties {
  return start + slot / 2 > width / 2 ? { right: width - start + GAP } : { left: start + slot + GAP };
}

const GAP = 8;

interface NumbersProps extends Pick<ChartProps, 'parts' | 'format'> {
  readonly row: ChartRow;
  readonly place: CSSProperties;
}

function Numbers({ row: { title, values }, parts, format, place }: NumbersProps) {
  return (
    <div className={classes['numbers']} style={place} data-testid="pointed-at">
      <strong>{title}</strong>
      {parts.map((part) => {
        const value = values[part.name];
        return (
          <div key={part.name} className={classes['number']}>
            <Mark {...part} />
            <span>{part.label}</span>
            <span className="figures">{value === null || value === undefined ? '–' : format(value)}</span>
          </div>
        );
      })}
    </div>
  );
}
