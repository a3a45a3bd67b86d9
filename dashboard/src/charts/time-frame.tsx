import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { ChartProps, ChartRow } from './chart-part';
import classes from './chart.module.css';
import { Legend } from './legend';
import { PointedAt } from './pointed-at';
import { createScale } from './scale';

/** Where the numbers of a chart are drawn, in pixels from its left upper corner. */
export interface Plot {
  /** How much room each row has. */
  readonly slot: number;
  /** The left edge of a row. */
  readonly left: (index: number) => number;
  readonly top: (value: number) => number;
}

interface TimeFrameProps extends ChartProps {
  /** The greatest number that is drawn. */
  readonly most: number;
  readonly children: (plot: Plot) => ReactNode;
}

const HEIGHT = 210;
const NUMBERS_WIDTH = 60;
const NAMES_HEIGHT = 28;
/** Half of a number at the top line. */
const TOP = 8;
/** Half of the last time. */
const RIGHT = 24;
const AREA_HEIGHT = HEIGHT - TOP - NAMES_HEIGHT;

/** Numbers over time: an axis of round numbers, an axis of times, and between them what the chart draws. */
export function TimeFrame({ most, children, label, ...chart }: TimeFrameProps) {
  const { ref, width } = useElementSize();
  const { rows, parts, format } = chart;
  const area = { left: NUMBERS_WIDTH, top: TOP, width: width - NUMBERS_WIDTH - RIGHT, height: AREA_HEIGHT };
  const scale = createScale(most, area.height, true);
  const bottom = area.top + area.height;
  const slot = area.width / rows.length;
  const top = (value: number): number => bottom - scale.of(value);
  return (
    <div role="img" aria-label={label}>
      <Legend parts={parts} />
      <div ref={ref} className={classes['frame']} style={{ height: HEIGHT }}>
        {area.width > 0 && (
          <>
            <svg width={width} height={HEIGHT}>
              {scale.ticks.map((tick) => (
                <g key={tick}>
                  <line
                    x1={area.left}
                    x2={area.left + area.width}
                    y1={top(tick)}
                    y2={top(tick)}
                    className={classes['line']}
                  />
                  <text x={area.left - 8} y={top(tick)} dy="0.35em" textAnchor="end" className={classes['text']}>
                    {format(tick)}
                  </text>
                </g>
              ))}
              {children({ slot, left: (index) => area.left + index * slot, top })}
              <Times rows={rows} slot={slot} />
            </svg>
            <PointedAt {...chart} area={area} direction="across" />
          </>
        )}
      </div>
    </div>
  );
}

interface TimesProps {
  readonly rows: readonly ChartRow[];
  readonly slot: number;
}

/** About how wide a letter of an axis is. */
const LETTER_WIDTH = 7;
const GAP = 24;

/** As many times as have room: the last one, and others at the same distance. */
function Times({ rows, slot }: TimesProps) {
  const wide = Math.max(...rows.map(({ name }) => name.length)) * LETTER_WIDTH;
  const step = Math.ceil((wide + GAP) / slot);
  return rows.map(({ id, name }, index) => {
    if ((rows.length - 1 - index) % step !== 0) return null;
    return (
      <text
        key={id}
        x={NUMBERS_WIDTH + (index + 0.5) * slot}
        y={HEIGHT - 8}
        textAnchor="middle"
        className={classes['text']}
      >
        {name}
      </text>
    );
  });
}
