import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { ChartProps } from './chart-part';
import classes from './chart.module.css';
import { Legend } from './legend';
import { PointedAt, type ChartArea } from './pointed-at';

interface ChartFrameProps extends ChartProps {
  /** In pixels, with the axes. */
  readonly height: number;
  /** Where the rows are, in a chart of this width. */
  readonly areaIn: (width: number) => ChartArea;
  /** Whether the rows are beside each other, or below each other. */
  readonly direction: 'across' | 'down';
  /** Draws the axes and the numbers. */
  readonly children: (area: ChartArea) => ReactNode;
}

/** A picture as wide as its place, with its legend, and the numbers of the row that the mouse points at. */
export function ChartFrame({ label, height, areaIn, direction, children, ...chart }: ChartFrameProps) {
  const { ref, width } = useElementSize();
  const area = areaIn(width);
  return (
    <div role="figure" aria-label={label}>
      <Legend parts={chart.parts} />
      <div ref={ref} className={classes['frame']} style={{ height }}>
        {area.width > 0 && (
          <>
            {/* The page has its numbers in a table. */}
            <svg width={width} height={height} aria-hidden>
              {children(area)}
            </svg>
            <PointedAt {...chart} label={label} area={area} direction={direction} />
          </>
        )}
      </div>
    </div>
  );
}
