import { UnstyledButton } from '@mantine/core';
import { useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import type { ChartProps, ChartRow } from './chart-part';
import classes from './chart.module.css';
import { besideSlot, Numbers, numberInWords } from './numbers';

/** The part of a picture with the rows, in pixels. */
export interface ChartArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface PointedAtProps extends ChartProps {
  readonly area: ChartArea;
  /** Whether the rows are beside each other, or below each other. */
  readonly direction: 'across' | 'down';
}

/**
 * Lies over a chart: shows the numbers of the row that the mouse points at, that a finger touched, or that the arrow keys
 * chose. A click or Enter opens it, if the chart's rows can be opened.
 */
export function PointedAt({ label, rows, parts, format, area, direction, onOpen }: PointedAtProps) {
  const [index, setIndex] = useState<number>();
  const isAcross = direction === 'across';
  const slot = (isAcross ? area.width : area.height) / rows.length;
  const within = (at: number): number => Math.min(rows.length - 1, Math.max(0, at));
  const look = ({ clientX, clientY, currentTarget }: MouseEvent): void => {
    const { left, top } = currentTarget.getBoundingClientRect();
    setIndex(within(Math.floor((isAcross ? clientX - left : clientY - top) / slot)));
  };
  const row = index === undefined ? undefined : rows[index];
  const start = (index ?? 0) * slot;
  return (
    <div className={classes['area']} style={area} onMouseMove={look} onMouseLeave={() => setIndex(undefined)}>
      {onOpen && (
        <Opener
          name={row ? nameOf(row, { parts, format }) : `${label}: choose with the arrow keys`}
          row={row}
          onOpen={onOpen}
          onFocus={() => setIndex((known) => known ?? rows.length - 1)}
          onBlur={() => setIndex(undefined)}
          onStep={(step) => setIndex((known = rows.length - 1) => within(known + step))}
        />
      )}
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

interface OpenerProps {
  readonly name: string;
  /** The row that is pointed at. */
  readonly row: ChartRow | undefined;
  readonly onOpen: (row: ChartRow) => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
  readonly onStep: (step: number) => void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** One stop of the Tab key for all rows: hundreds of them would be a wall. */
function Opener({ name, row, onOpen, onFocus, onBlur, onStep }: OpenerProps) {
  // A first touch shows the numbers, which a mouse shows before it clicks; a second one opens.
  const isShown = useRef(true);
  const touch = ({ pointerType }: PointerEvent): void => {
    isShown.current = pointerType !== 'touch' || row !== undefined;
  };
  const step = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onStep(by);
  };
  return (
    <UnstyledButton
      className={classes['open']}
      aria-label={name}
      onPointerDown={touch}
      onKeyDown={step}
      onFocus={onFocus}
      onBlur={onBlur}
      onClick={() => row && isShown.current && onOpen(row)}
    />
  );
}

function nameOf({ title, values }: ChartRow, { parts, format }: Pick<ChartProps, 'parts' | 'format'>): string {
  const numbers = parts.map((part) => `${part.label} ${numberInWords(values[part.name], part, format)}`);
  return `${title}: ${numbers.join(', ')}. Open the deliveries`;
}
