import type { ReactNode } from 'react';
import { namedRows } from './axis-times';
import { ChartFrame } from './chart-frame';
import type { ChartProps, ChartRow } from './chart-part';
import classes from './chart.module.css';
import type { ChartArea } from './pointed-at';
import { createScale, type Scale } from './scale';

/** Where the numbers of a chart are drawn, in pixels from its left upper corner. */
export interface Plot {
  /** How much room each row has. */
  readonly slot: number;
  /** The left edge of a row. */
  readonly left: (index: number) => number;
  readonly top: (value: number) => number;
  /** The greatest number that the axis has room for. */
  readonly end: number;
  /** Where the line of a rate is; only with its axis. */
  readonly rateTop: (rate: number) => number;
}

interface TimeFrameProps extends ChartProps {
  /** The greatest number that is drawn. */
  readonly most: number;
  /** The axis of a rate, at the right: the greatest that is drawn, from 0 to 1, and its words. */
  readonly rate?: { readonly most: number; readonly format: (rate: number) => string } | undefined;
  readonly children: (plot: Plot) => ReactNode;
}

const HEIGHT = 210;
const NUMBERS_WIDTH = 60;
const NAMES_HEIGHT = 28;
/** Half of a number at the top line. */
const TOP = 8;
/** Half of the last time. */
const RIGHT = 28;
/** `100.0 %`, and its distance. */
const RATES_WIDTH = 60;
const AREA_HEIGHT = HEIGHT - TOP - NAMES_HEIGHT;

/** Numbers over time: an axis of round numbers, an axis of times, and between them what the chart draws. */
export function TimeFrame({ most, rate, children, ...chart }: TimeFrameProps) {
  const { rows, format } = chart;
  const scale = createScale(most, AREA_HEIGHT, true);
  const top = (value: number): number => TOP + AREA_HEIGHT - scale.of(value);
  const rates = createScale(rate?.most ?? 0, AREA_HEIGHT, false);
  const rateTop = (value: number): number => TOP + AREA_HEIGHT - rates.of(value);
  const areaIn = (width: number): ChartArea => ({
    left: NUMBERS_WIDTH,
    top: TOP,
    width: width - NUMBERS_WIDTH - (rate ? RATES_WIDTH : RIGHT),
    height: AREA_HEIGHT,
  });
  return (
    <ChartFrame {...chart} height={HEIGHT} areaIn={areaIn} direction="across">
      {({ left, width }) => {
        const slot = width / rows.length;
        return (
          <>
            {scale.ticks.map((tick) => (
              <g key={tick}>
                <line x1={left} x2={left + width} y1={top(tick)} y2={top(tick)} className={classes['line']} />
                <text x={left - 8} y={top(tick)} dy="0.35em" textAnchor="end" className={classes['text']}>
                  {format(tick)}
                </text>
              </g>
            ))}
            {rate && <Rates rates={rates} format={rate.format} left={left + width} top={rateTop} />}
            {children({ slot, left: (index) => left + index * slot, top, end: scale.end, rateTop })}
            <Times rows={rows} slot={slot} />
          </>
        );
      }}
    </ChartFrame>
  );
}

interface RatesProps {
  readonly rates: Scale;
  readonly format: (rate: number) => string;
  readonly left: number;
  readonly top: (rate: number) => number;
}

function Rates({ rates, format, left, top }: RatesProps) {
  return rates.ticks.map((tick) => (
    <text key={tick} x={left + 8} y={top(tick)} dy="0.35em" className={classes['text']}>
      {format(tick)}
    </text>
  ));
}

interface TimesProps {
  readonly rows: readonly ChartRow[];
  readonly slot: number;
}

/** About how wide a letter of an axis is. */
const LETTER_WIDTH = 7;
const GAP = 24;

function Times({ rows, slot }: TimesProps) {
  const wide = Math.max(...rows.map(({ name }) => name.length)) * LETTER_WIDTH;
  return namedRows(rows, (wide + GAP) / slot).map((index) => (
    <text
      key={rows[index]?.id}
      x={NUMBERS_WIDTH + (index + 0.5) * slot}
      y={HEIGHT - 8}
      textAnchor="middle"
      className={classes['text']}
    >
      {rows[index]?.name}
    </text>
  ));
}
