import type { CSSProperties } from 'react';
import type { ChartPart, ChartProps, ChartRow } from './chart-part';
import classes from './chart.module.css';
import { Mark } from './legend';

const GAP = 8;

/** A place beside a row, on the side with more room, so that it never sticks out. */
export function besideSlot(start: number, slot: number, width: number): CSSProperties {
  return start + slot / 2 > width / 2 ? { right: width - start + GAP } : { left: start + slot + GAP };
}

/** A number of a part; a dash for none. */
export function numberInWords(
  value: number | null | undefined,
  { format: own }: ChartPart,
  format: ChartProps['format'],
): string {
  return value === null || value === undefined ? '–' : (own ?? format)(value);
}

interface NumbersProps extends Pick<ChartProps, 'parts' | 'format'> {
  readonly row: ChartRow;
  readonly place: CSSProperties;
}

/** The numbers of a row, over the picture. */
export function Numbers({ row: { title, values }, parts, format, place }: NumbersProps) {
  return (
    <div className={classes['numbers']} style={place} data-testid="pointed-at">
      <strong>{title}</strong>
      {parts.map((part) => (
        <div key={part.name} className={classes['number']}>
          <Mark {...part} />
          <span>{part.label}</span>
          <span className="figures">{numberInWords(values[part.name], part, format)}</span>
        </div>
      ))}
    </div>
  );
}
