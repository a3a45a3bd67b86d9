import type { CatalogEntry, CatalogIndex, PricedEntry, Provider } from '../../../src/domain/catalog';
import { estimateCost, MAX_ITEMS, type Estimate } from '../../../src/domain/cost-estimate';
import { checkItem, type EstimateItem } from '../../../src/domain/estimate-item';
import { percentOff, type Discounts } from '../../../src/domain/discounts';
import { USAGE_FIELDS } from '../../../src/domain/price-unit';
import { checkDiscounts, type CheckedDiscount, type TypedDiscount } from './list-discounts';
import { readNumber } from './typed-number';

/** What a line is about: an entry of the catalog, and the usage as it was typed. */
export interface LineInput {
  readonly provider: Provider;
  readonly service: string;
  readonly instance: string;
  readonly quantity: string;
  /** Hours or GB a month, where the price unit needs them; empty elsewhere. */
  readonly usage: string;
}

/** A line of the shopping list. */
export interface Line extends LineInput {
  /** Names the line in this visit. */
  readonly id: number;
}

/** What is wrong with a field of a line, in words to stand beside it. */
export interface LineProblems {
  readonly quantity?: string;
  readonly usage?: string;
}

/** A line with its entry and, when its numbers can be calculated with, its cost. */
export interface PricedLine {
  readonly line: Line;
  readonly priced: PricedEntry;
  /** What the API would be sent for it. */
  readonly item: EstimateItem;
  readonly problems: LineProblems;
  /** After its discounts. */
  readonly monthlyUsd: number | undefined;
  /** Before them. */
  readonly listUsd: number | undefined;
  /** All its discounts together, in percent; `0` without any. */
  readonly percentOff: string;
}

/** The whole list. Lines with a problem are not in the estimate. */
export interface PricedList {
  readonly lines: readonly PricedLine[];
  readonly discounts: readonly CheckedDiscount[];
  /** The discounts that are calculated with. */
  readonly counted: Discounts;
  /** After the discounts. Undefined when no line can be priced. */
  readonly estimate: Estimate | undefined;
  /** At list prices, as the API answers it. */
  readonly listEstimate: Estimate | undefined;
  /** What is wrong with the list as a whole. */
  readonly problem: string | undefined;
}

const TYPICAL_GB = '100';

/** A new line: a quantity of 1, in use for the whole month. */
export function newLine({ entry, form }: PricedEntry): LineInput {
  const { provider, service, instance } = entry;
  const usage =
    form.usage === 'gbPerMonth' ? TYPICAL_GB : String(form.usage ? USAGE_FIELDS[form.usage].whenAbsent : '');
  return { provider, service, instance, quantity: '1', usage };
}

/** Whether one more line fits: an estimate of the API has no more. */
export function hasRoom(lines: readonly unknown[]): boolean {
  return lines.length < MAX_ITEMS;
}

/** The lines of the estimate. */
export function countedLines(lines: readonly PricedLine[]): readonly PricedLine[] {
  return lines.filter(({ monthlyUsd }) => monthlyUsd !== undefined);
}

/** How many lines are not in the estimate, because of their numbers. */
export function countLeftOut({ lines }: Pick<PricedList, 'lines'>): number {
  return lines.length - countedLines(lines).length;
}

/** Whether the total is without a line or a discount that can't be read. */
export function isIncomplete({ lines, discounts }: Pick<PricedList, 'lines' | 'discounts'>): boolean {
  return countLeftOut({ lines }) > 0 || discounts.some(({ problem }) => problem !== undefined);
}

/** The entry of a line; undefined when the catalog has none. */
export function findEntry(
  index: CatalogIndex,
  { provider, service, instance }: Pick<CatalogEntry, 'provider' | 'service' | 'instance'>,
): PricedEntry | undefined {
  return index.findService(provider, service)?.find(instance);
}

/**
 * Prices a list by the very function that the API uses. Lines that the catalog does not have are left out, and so are
 * discounts that can't be read.
 */
export function priceList(
  index: CatalogIndex,
  lines: readonly Line[],
  typedDiscounts: readonly TypedDiscount[] = [],
): PricedList {
  const checked = lines.flatMap((line) => {
    const priced = findEntry(index, line);
    return priced ? [checkLine(index, line, priced)] : [];
  });
  const discounts = checkDiscounts(typedDiscounts, checked);
  const counted = discounts.flatMap(({ discount }) => discount ?? []);
  const unpriced = { lines: checked, discounts, counted, estimate: undefined, listEstimate: undefined };
  const valid = checked.filter(({ problems }) => problems.quantity === undefined && problems.usage === undefined);
  if (valid.length === 0) return { ...unpriced, problem: undefined };
  const items = valid.map(({ item }) => item);
  const atList = estimateCost(index, items);
  if (!atList.ok) {
    return { ...unpriced, problem: `The list ${atList.problems.map(({ message }) => message).join(', ')}.` };
  }
  const discounted = estimateCost(index, items, counted);
  const estimate = discounted.ok ? discounted.estimate : atList.estimate;
  const costs = new Map(
    valid.map(({ line }, at) => [
      line.id,
      { monthlyUsd: estimate.breakdown[at]!.monthlyUsd, listUsd: atList.estimate.breakdown[at]!.monthlyUsd },
    ]),
  );
  return {
    lines: checked.map((line) => ({
      ...line,
      ...costs.get(line.line.id),
      percentOff: percentOff(counted, line.priced.entry),
    })),
    discounts,
    counted,
    estimate,
    listEstimate: atList.estimate,
    problem: undefined,
  };
}

function checkLine(index: CatalogIndex, line: Line, priced: PricedEntry): PricedLine {
  const item = toItem(line, priced);
  const result = checkItem(index, item, '');
  const problems = result.ok ? [] : result.problems;
  const messageOf = (field: string): string | undefined => {
    const message = problems.find(({ path }) => path === `.${field}`)?.message;
    return message && readable(message);
  };
  const quantity = readNumber(line.quantity).problem ?? messageOf('quantity');
  const usage = priced.form.usage && (readNumber(line.usage).problem ?? messageOf(priced.form.usage));
  return {
    line,
    priced,
    item,
    problems: { ...(quantity !== undefined && { quantity }), ...(usage !== undefined && { usage }) },
    monthlyUsd: undefined,
    listUsd: undefined,
    percentOff: '0',
  };
}

function toItem({ provider, service, instance, quantity, usage }: Line, { form }: PricedEntry): EstimateItem {
  return {
    provider,
    service,
    instance,
    quantity: readNumber(quantity).value,
    ...(form.usage && { [form.usage]: readNumber(usage).value }),
  };
}

/** `must be a number from 0 to 1000000000` → `Must be a number from 0 to 1,000,000,000`. */
function readable(message: string): string {
  const sentence = message.replaceAll(/\d{4,}/g, (digits) => Number(digits).toLocaleString('en-US'));
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
