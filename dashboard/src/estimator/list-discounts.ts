import { isFor, MAX_PERCENT, type Discount, type DiscountScope } from '../../../src/domain/discounts';
import type { PricedEntry } from '../../../src/domain/catalog';
import { readNumber } from './typed-number';

/** A discount as it was typed. */
export interface DiscountInput extends DiscountScope {
  readonly percent: string;
}

/** A discount of the list. */
export interface TypedDiscount extends DiscountInput {
  /** Names it in this visit. */
  readonly id: number;
}

/** A discount, and what comes of it. */
export interface CheckedDiscount {
  readonly typed: TypedDiscount;
  /** What is calculated with; undefined while there is a problem. */
  readonly discount: Discount | undefined;
  /** What is wrong with the percentage, in words to stand beside it. */
  readonly problem: string | undefined;
  /** How many lines it is for. */
  readonly lineCount: number;
}

/** So that a link stays short. */
export const MAX_DISCOUNTS = 20;

/** Checks the discounts of a list, and counts the lines that each is for. */
export function checkDiscounts(
  typed: readonly TypedDiscount[],
  lines: readonly { readonly priced: PricedEntry }[],
): readonly CheckedDiscount[] {
  return typed.map((one) => {
    const { provider, category } = one;
    const { value: percent, problem: unreadable } = readNumber(one.percent);
    const isValid = percent >= 0 && percent <= MAX_PERCENT;
    return {
      typed: one,
      discount: isValid ? { provider, category, percent } : undefined,
      problem: isValid ? undefined : (unreadable ?? `Must be a number from 0 to ${MAX_PERCENT}`),
      lineCount: lines.filter(({ priced }) => isFor(one, priced.entry)).length,
    };
  });
}
