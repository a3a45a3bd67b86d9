import Big from 'big.js';
import type { CatalogIndex, PricedEntry } from './catalog';
import { shareLeft, type Discounts } from './discounts';
import { checkItem, type EstimateItem, type EstimateProblem } from './estimate-item';
import { exactly, inCents, plus, times, type Exact } from './exact-cost';
import { USAGE_FIELDS, type UsageField } from './price-unit';

/** The cost of one item; the first four fields are the item's own. */
export interface EstimateLine {
  readonly provider: string;
  readonly service: string;
  readonly instance: string;
  readonly quantity: number;
  /** US dollars per `priceUnit`. */
  readonly unitPrice: number;
  readonly priceUnit: string;
  /** Rounded half up to cents. */
  readonly monthlyUsd: number;
}

export interface Estimate {
  /** The sum of the exact lines, rounded half up to cents; it can differ by cents from the sum of the rounded ones. */
  readonly totalMonthlyUsd: number;
  /** Twelve times `totalMonthlyUsd`. */
  readonly totalAnnualUsd: number;
  /** One line for each item, in order. */
  readonly breakdown: readonly EstimateLine[];
}

/** An estimate, and the entry behind each of its lines. */
export interface PricedEstimate {
  readonly estimate: Estimate;
  readonly priced: readonly PricedEntry[];
}

/** An estimate, or everything that is wrong with the items. */
export type EstimateResult =
  | ({ readonly ok: true } & PricedEstimate)
  | { readonly ok: false; readonly problems: readonly EstimateProblem[] };

/** The most items in an estimate (docs/spec.md, "Cost estimator"). */
export const MAX_ITEMS = 100;

/**
 * The largest total, in US dollars a month (docs/spec.md, "Cost estimator"): up to here cents are exact in a JSON
 * number.
 */
const MAX_TOTAL_USD = 10_000_000_000_000;

/**
 * Prices a shopping list exactly: multiplied and added as decimals, and rounded at the end (docs/estimator.md).
 * The API and the page both call this, so they can't disagree.
 *
 * It never prices a part: with one wrong item, the result is the list of all problems.
 *
 * @param items what the caller sent, of any type
 * @param discounts only the page has them: `monthlyUsd` and the totals are after them, and `unitPrice` is the list price
 */
export function estimateCost(index: CatalogIndex, items: unknown, discounts: Discounts = []): EstimateResult {
  const listProblem = problemOfList(items);
  if (listProblem !== undefined) return invalidList(listProblem);
  const checked = (items as unknown[]).map((item, position) => checkItem(index, item, `items[${position}]`));
  const problems = checked.flatMap((item) => (item.ok ? [] : item.problems));
  if (problems.length > 0) return { ok: false, problems };

  let total: Exact = exactly(0);
  const breakdown: EstimateLine[] = [];
  const priced: PricedEntry[] = [];
  for (const result of checked) {
    if (!result.ok) continue;
    const cost = costOf(result.item, result.priced, discounts);
    total = plus(total, cost);
    breakdown.push(lineOf(result.item, result.priced, cost));
    priced.push(result.priced);
  }
  const totalMonthlyUsd = inCents(total);
  if (totalMonthlyUsd > MAX_TOTAL_USD) {
    return invalidList('must not add up to more than 10,000,000,000,000 US dollars a month');
  }
  return {
    ok: true,
    estimate: { totalMonthlyUsd, totalAnnualUsd: Big(totalMonthlyUsd).times(12).toNumber(), breakdown },
    priced,
  };
}

/** What checked items cost a month together, in US dollars: added exactly, and rounded half up to cents at the end. */
export function sumOf(
  lines: readonly { readonly item: EstimateItem; readonly priced: PricedEntry }[],
  discounts: Discounts = [],
): number {
  return inCents(lines.reduce((total, { item, priced }) => plus(total, costOf(item, priced, discounts)), exactly(0)));
}

/** The exact cost of an item in US dollars a month. */
function costOf(item: EstimateItem, { entry, exactPrice, form }: PricedEntry, discounts: Discounts): Exact {
  const blocks = times(exactPrice, exactly(item.quantity));
  const cost = form.usage === undefined ? blocks : times(blocks, exactly(usageOf(item, form.usage)));
  return discounts.length === 0 ? cost : times(cost, shareLeft(discounts, entry));
}

function usageOf(item: EstimateItem, field: UsageField): number {
  return item[field] ?? USAGE_FIELDS[field].whenAbsent;
}

function lineOf(item: EstimateItem, { entry }: PricedEntry, cost: Exact): EstimateLine {
  return {
    provider: item.provider,
    service: item.service,
    instance: item.instance ?? entry.instance,
    quantity: withoutSign(item.quantity),
    unitPrice: entry.priceUsd,
    priceUnit: entry.priceUnit,
    monthlyUsd: withoutSign(inCents(cost)),
  };
}

/** JSON has a -0, and it is a legal quantity, but it should not be shown. */
function withoutSign(number: number): number {
  return number === 0 ? 0 : number;
}

function problemOfList(items: unknown): string | undefined {
  if (items === undefined) return 'is required';
  if (!Array.isArray(items)) return 'must be an array';
  if (items.length === 0) return 'must have at least one item';
  if (items.length > MAX_ITEMS) return `must have at most ${MAX_ITEMS} items`;
  return undefined;
}

function invalidList(message: string): EstimateResult {
  return { ok: false, problems: [{ kind: 'invalid', path: 'items', message }] };
}
