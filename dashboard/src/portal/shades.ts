import type { MantineColorsTuple } from '@mantine/core';

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The lightest surface of the dark scheme that links stand on. */
const DARK_SURFACE: Rgb = [31, 39, 51];
/** More than the 4.5 of WCAG: links also stand on grey. */
const LEGIBLE = 5.5;
const STEPS = 100;

/**
 * Ten shades of a brand's colour. Shade 7 is the colour itself, or as much darker as white text on it needs; shade 3 is
 * light enough for links of the dark scheme.
 *
 * @param color `#rrggbb`
 */
export function shadesOf(color: string): MantineColorsTuple {
  const base = rgbOf(color);
  const strong = untilLegible(base, BLACK, WHITE);
  const pale = untilLegible(base, WHITE, DARK_SURFACE);
  return [
    ...([0.9, 0.75, 0.4] as const).map((part) => mixed(pale, WHITE, part)),
    pale,
    ...([0.7, 0.4, 0.15] as const).map((part) => mixed(strong, pale, part)),
    strong,
    mixed(strong, BLACK, 0.2),
    mixed(strong, BLACK, 0.4),
  ].map(hexOf) as unknown as MantineColorsTuple;
}

/** Mixes with another colour until it can be read on a surface. */
function untilLegible(color: Rgb, other: Rgb, surface: Rgb): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mixed(color, other, step / STEPS);
    if (contrast(candidate, surface) >= LEGIBLE) return candidate;
  }
  return other;
}

function mixed(color: Rgb, other: Rgb, part: number): Rgb {
  return color.map((value, index) => Math.round(value * (1 - part) + other[index]! * part)) as unknown as Rgb;
}

/** WCAG 2.2, "contrast ratio". */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Reads `#rrggbb`. */
export function rgbOf(color: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as unknown as Rgb;
}

function hexOf(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
