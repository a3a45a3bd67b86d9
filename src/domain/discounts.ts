import type { CatalogEntry, Category, Provider } from './catalog';
import { decimalOf, exactly, minus, times, type Exact } from './exact-cost';

/** Whose prices a discount lowers. */
export interface DiscountScope {
  readonly provider: Provider | 'all';
  readonly category: Category | 'all';
}

/** A share of the list price that is taken off. */
export interface Discount extends DiscountScope {
  /** 0 to 100. */
  readonly percent: number;
}

/** Any number of them, in any order. */
export type Discounts = readonly Discount[];

/** The highest `percent`: the service is free then. */
export const MAX_PERCENT = 100;

/** Whether a discount is for an entry. */
export function isFor(scope: DiscountScope, { provider, category }: CatalogEntry): boolean {
  return (
    (scope.provider === 'all' || scope.provider === provider) &&
    (scope.category === 'all' || scope.category === category)
  );
}

/**
 * What is left of the list price of an entry, from 0 to 1, exactly. All discounts for it apply one after the other, in
 * any order: 20 % and 10 % leave 72 %.
 */
export function shareLeft(discounts: Discounts, entry: CatalogEntry): Exact {
  return discounts
    .filter((discount) => isFor(discount, entry))
    .reduce<Exact>((share, { percent }) => times(share, minus(exactly(1), hundredth(percent))), exactly(1));
}

/** How much all discounts together take off the price of an entry: `28`, in percent, as an exact decimal. */
export function percentOff(discounts: Discounts, entry: CatalogEntry): string {
  return decimalOf(times(minus(exactly(1), shareLeft(discounts, entry)), exactly(MAX_PERCENT))).toFixed();
}

function hundredth(percent: number): Exact {
  return times(exactly(percent), exactly(0.01));
}
