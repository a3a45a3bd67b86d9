import { sumOf, type ChartProps } from './chart-part';
import classes from './chart.module.css';
import type { Plot } from './time-frame';

interface CutMarksProps extends Pick<ChartProps, 'rows' | 'parts' | 'format'> {
  readonly plot: Plot;
}

/** About how wide a letter is. */
const LETTER_WIDTH = 7;
/** Between a column and its number. */
const GAP = 4;
/** From the top of a column to its cut, and how much the cut slopes. */
const CUT = 8;
const SLOPE = 3;

/** Shows which columns are cut, by a gap across each, and their numbers as far as there is room: the greatest first. */
export function CutMarks({ rows, parts, format, plot }: CutMarksProps) {
  const { slot, left, top, end } = plot;
  const cut = rows
    .map((row, index) => ({ index, number: sumOf(row, parts) }))
    .filter(({ number }) => number > end)
    .sort((one, other) => other.number - one.number);
  const y = top(end) + CUT;
  return (
    <>
      {cut.map(({ index }) => (
        <path
          key={index}
          d={`M${left(index)},${y + SLOPE}l${slot},${-2 * SLOPE}`}
          className={classes['cut']}
          data-testid="cut"
        />
      ))}
      {numbersWithRoom(cut, rows.length, plot, format).map(({ index, words, x, anchor }) => (
        <text key={index} x={x} y={y} dy="0.35em" textAnchor={anchor} className={classes['cutNumber']}>
          {words}
        </text>
      ))}
    </>
  );
}

/** Each beside its column, on the side with more room, unless a greater one is there. */
function numbersWithRoom(
  cut: readonly { readonly index: number; readonly number: number }[],
  rows: number,
  { slot, left }: Plot,
  format: (value: number) => string,
) {
  const taken: (readonly [number, number])[] = [];
  return cut.flatMap(({ index, number }) => {
    const words = format(number);
    const width = words.length * LETTER_WIDTH;
    const isRight = index < rows / 2;
    const x = isRight ? left(index) + slot + GAP : left(index) - GAP;
    const [from, to] = isRight ? [x, x + width] : [x - width, x];
    if (taken.some(([start, stop]) => from < stop && start < to)) return [];
    taken.push([from, to]);
    return [{ index, words, x, anchor: isRight ? ('start' as const) : ('end' as const) }];
  });
}
