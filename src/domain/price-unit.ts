/**
 * How a price unit turns usage into the number that the price is multiplied by: the table in docs/estimator.md, as data.
 */
export interface PriceUnitForm {
  /** What `quantity` counts, in words that follow a number: `instances`, `vCPUs`, `GB`, `million requests`. */
  readonly quantityMeans: string;
  /** The field that `quantity` is multiplied by; without one, `quantity` alone is the usage. */
  readonly usage: UsageField | undefined;
  /** How many single units one of `quantity` is: 10,000 for `per 10K requests`, 1 without blocks. */
  readonly blockSize: number;
}

/** Fields of an estimate item with usage in addition to `quantity`. */
export type UsageField = 'hoursPerMonth' | 'gbPerMonth';

/** The meaning of a usage field, its maximum, and its default. */
export const USAGE_FIELDS: Readonly<Record<UsageField, { means: string; most: number; whenAbsent: number }>> = {
  hoursPerMonth: { means: 'hours a month', most: 744, whenAbsent: 730 },
  // If absent, `quantity` alone is the GB.
  gbPerMonth: { means: 'GB a month of each', most: 1_000_000_000, whenAbsent: 1 },
};

const WHOLE_FORMS: Readonly<Record<string, PriceUnitForm>> = {
  'per hour': form('instances', 'hoursPerMonth'),
  'per vCPU-hour': form('vCPUs', 'hoursPerMonth'),
  'per GB-hour': form('GB', 'hoursPerMonth'),
  'per GB-second': form('GB-seconds a month', undefined),
  'per GB/month': form('volumes or buckets', 'gbPerMonth'),
  'per GB': form('flows', 'gbPerMonth'),
  'per month': form('units', undefined),
};

const BLOCK_SIZES: Readonly<Record<string, number>> = {
  million: 1_000_000,
  '100K': 100_000,
  '10K': 10_000,
  '1K': 1_000,
};

/**
 * Parses a catalog's price unit: `per hour`, `per GB/month`, `per <thing>/month`, `per million <things>`, `per
 * 100K|10K|1K <things>`, …
 *
 * @returns undefined for an unknown unit
 */
export function formOfPriceUnit(priceUnit: string): PriceUnitForm | undefined {
  if (Object.hasOwn(WHOLE_FORMS, priceUnit)) return WHOLE_FORMS[priceUnit];
  const thing = /^per ([a-z]+)\/month$/.exec(priceUnit)?.[1];
  if (thing !== undefined) return form(pluralOf(thing), undefined);
  const [, size, things] = /^per (million|100K|10K|1K) ([A-Za-z]+)$/.exec(priceUnit) ?? [];
  if (size === undefined || things === undefined) return undefined;
  const blockSize = BLOCK_SIZES[size]!;
  const means = size === 'million' ? `million ${things}` : `blocks of ${withCommas(blockSize)} ${things}`;
  return form(means, undefined, blockSize);
}

function form(quantityMeans: string, usage: UsageField | undefined, blockSize = 1): PriceUnitForm {
  return { quantityMeans, usage, blockSize };
}

/** One policy, two policies; one key, two keys. */
function pluralOf(thing: string): string {
  return /[^aeiou]y$/.test(thing) ? `${thing.slice(0, -1)}ies` : `${thing}s`;
}

function withCommas(count: number): string {
  return String(count).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ',');
}
