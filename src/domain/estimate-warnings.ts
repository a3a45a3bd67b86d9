import type { CatalogEntry, PricedEntry } from './catalog';
import type { PricedEstimate } from './cost-estimate';
import { shortenedPath } from './errors';
import type { EstimateItem } from './estimate-item';
import { USAGE_FIELDS, type UsageField } from './price-unit';

/** Something that the estimate ignored or doubts. The estimate is complete all the same. */
export interface EstimateWarning {
  readonly code: EstimateWarningCode;
  /** `items[2].hoursPerMonth`. */
  readonly path: string;
  /** What happened and what to send instead, to read after the path. */
  readonly message: string;
}

/** Stable names of the kinds of warnings (docs/estimator.md, "Warnings"). */
export const ESTIMATE_WARNING_CODES = [
  'unknown_field',
  'unused_field',
  'differs_from_catalog',
  'large_quantity',
  'below_a_cent',
] as const;
export type EstimateWarningCode = (typeof ESTIMATE_WARNING_CODES)[number];

/** How many warnings an answer has: 100 items can have 2,000 unknown fields. */
export const MAX_WARNINGS = 20;

/**
 * How many single requests, operations or tokens of a month are plausible. The highest tier that an entry of the
 * built-in catalog names ends here: 100 billion requests to SQS.
 */
const MAX_PLAUSIBLE_COUNT = 100_000_000_000;

const ITEM_FIELDS: readonly string[] = [
  'provider',
  'service',
  'instance',
  'quantity',
  'hoursPerMonth',
  'gbPerMonth',
] satisfies readonly (keyof EstimateItem)[];
const USAGE_NAMES = Object.keys(USAGE_FIELDS) as readonly UsageField[];
/** Fields of a pasted catalog entry that say something about its price. */
const ENTRY_FIELDS: readonly string[] = [
  'category',
  'specs',
  'priceUnit',
  'priceUsd',
  'region',
] satisfies readonly (keyof CatalogEntry)[];

/** The first 20 warnings about the items of an estimate. Everything follows from the price unit of the entry. */
export function warningsOf(items: readonly EstimateItem[], { estimate, priced }: PricedEstimate): EstimateWarning[] {
  const warnings: EstimateWarning[] = [];
  for (const [at, item] of items.entries()) {
    const path = `items[${at}]`;
    warnings.push(...fieldWarnings(item, priced[at]!, path));
    const doubt = doubtOf(item, priced[at]!, estimate.breakdown[at]!.monthlyUsd);
    if (doubt) warnings.push({ ...doubt, path: `${path}.quantity` });
    if (warnings.length >= MAX_WARNINGS) break;
  }
  return warnings.slice(0, MAX_WARNINGS).map((warning) => ({ ...warning, path: shortenedPath(warning.path) }));
}

/** What is doubtful about the quantity of an item. */
function doubtOf(
  { quantity }: EstimateItem,
  { form, entry }: PricedEntry,
  monthlyUsd: number,
): Omit<EstimateWarning, 'path'> | undefined {
  const { blockSize, quantityMeans } = form;
  const count = quantity * blockSize;
  if (blockSize > 1 && (quantity >= blockSize || count >= MAX_PLAUSIBLE_COUNT)) {
    const things = quantityMeans.split(' ').at(-1)!;
    return {
      code: 'large_quantity',
      message:
        `counts ${quantityMeans}, so this is ${inWords(count)} ${things} a month; ` +
        `if you mean ${inWords(quantity)} ${things}, send ${plain(quantity / blockSize)}`,
    };
  }
  if (blockSize === 1 && quantity > 0 && entry.priceUsd > 0 && monthlyUsd === 0) {
    return {
      code: 'below_a_cent',
      message:
        `counts ${quantityMeans}, and this line costs less than half a cent a month, so its monthlyUsd is 0; ` +
        `check that the usage is that of a whole month`,
    };
  }
  return undefined;
}

function fieldWarnings(item: EstimateItem, { entry, form }: PricedEntry, path: string): EstimateWarning[] {
  return Object.entries(item).flatMap(([name, value]): EstimateWarning[] => {
    const at = `${path}.${name}`;
    if (USAGE_NAMES.includes(name as UsageField) && name !== form.usage) {
      const instead = form.usage
        ? `: it is multiplied by ${form.usage}`
        : `: quantity alone counts ${form.quantityMeans}`;
      const message = `is not used, because the price is ${entry.priceUnit}${instead}`;
      return [{ code: 'unused_field', path: at, message }];
    }
    if (ITEM_FIELDS.includes(name)) return [];
    if (!ENTRY_FIELDS.includes(name)) {
      const meant = fieldLike(name);
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
      return [{ code: 'unknown_field', path: at, message: `is not a field of an item, and was ignored${hint}` }];
    }
    const own = entry[name as keyof CatalogEntry];
    const message = `was ignored: the catalog has ${JSON.stringify(own)} for this entry, and that is what was priced`;
    return value === own ? [] : [{ code: 'differs_from_catalog', path: at, message }];
  });
}

/** The field that another spelling stands for: `hours`, `gb_per_month` and `Quantity`, for example. */
function fieldLike(name: string): string | undefined {
  const key = lettersOf(name);
  return key.length < 2 ? undefined : ITEM_FIELDS.find((field) => lettersOf(field).startsWith(key));
}

function lettersOf(name: string): string {
  return name.replaceAll(/[_\- ]/g, '').toLowerCase();
}

function inWords(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function plain(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 12, useGrouping: false });
}
