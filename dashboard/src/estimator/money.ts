const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
/** Unit prices go down to fractions of a millionth. */
const UNIT_PRICE = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 12,
});
const ROUGH = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 2,
});
const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

/** US dollars, with cents. */
export function formatUsd(dollars: number): string {
  return USD.format(dollars);
}

/** US dollars for an axis: `$20`, `$1.5K`. */
export function formatRoughUsd(dollars: number): string {
  return ROUGH.format(dollars);
}

/** A price with all its decimals. */
export function formatUnitPrice(dollars: number): string {
  return UNIT_PRICE.format(dollars);
}

/** A number with separators: `2,500,000`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}
