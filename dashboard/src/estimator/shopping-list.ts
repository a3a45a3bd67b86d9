import type { CatalogEntry, CatalogIndex, PricedEntry, Provider } from '../../../src/domain/catalog';
import { estimateCost, MAX_ITEMS, type Estimate } from '../../../src/domain/cost-estimate';
import { checkItem, type EstimateItem } from '../../../src/domain/estimate-item';
import { USAGE_FIELDS } from '../../../src/domain/price-unit';
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
  readonly monthlyUsd: number | undefined;
}

/** The whole list. Lines with a problem are not in the estimate. */
export interface PricedList {
  readonly lines: readonly PricedLine[];
  /** Undefined when no line can be priced. */
  readonly estimate: Estimate | undefined;
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

/** How many lines are not in the estimate, because of their numbers. */
export function countLeftOut({ lines }: Pick<PricedList, 'lines'>): number {
  return lines.filter(({ monthlyUsd }) => monthlyUsd === undefined).length;
}

/** The entry of a line; undefined when the catalog has none. */
export function findEntry(
  index: CatalogIndex,
  { provider, service, instance }: Pick<CatalogEntry, 'provider' | 'service' | 'instance'>,
): PricedEntry | undefined {
  return index.findService(provider, service)?.find(instance);
}

/** Prices a list by the very function that the API uses. Lines that the catalog does not have are left out. */
export function priceList(index: CatalogIndex, lines: readonly Line[]): PricedList {
  const checked = lines.flatMap((line) => {
    const priced = findEntry(index, line);
    return priced ? [checkLine(index, line, priced)] : [];
  });
  const valid = checked.filter(({ problems }) => problems.quantity === undefined && problems.usage === undefined);
  if (valid.length === 0) return { lines: checked, estimate: undefined, problem: undefined };
  const result = estimateCost(
    index,
    valid.map(({ item }) => item),
  );
  if (!result.ok) {
    const problem = `The list ${result.problems.map(({ message }) => message).join(', ')}.`;
    return { lines: checked, estimate: undefined, problem };
  }
  const costs = new Map(valid.map(({ line }, at) => [line.id, result.estimate.breakdown[at]!.monthlyUsd]));
  return {
    lines: checked.map((line) => ({ ...line, monthlyUsd: costs.get(line.line.id) })),
    estimate: result.estimate,
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
