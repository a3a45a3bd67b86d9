import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the catalog as text, parsed independently of the product. */
export interface TextRow {
  readonly provider: string;
  readonly category: string;
  readonly service: string;
  readonly instance: string;
  readonly specs: string;
  readonly priceUnit: string;
  readonly priceUsd: string;
  readonly region: string;
  readonly source: string;
  readonly sourceDate: string;
  readonly note: string;
  readonly grade: string;
}

/** The rows of the built-in catalog file. */
export function textRows(): TextRow[] {
  const text = readFileSync(join(__dirname, '..', '..', 'src', 'estimator', 'catalog.csv'), 'utf8');
  const [names, ...lines] = text.trimEnd().split('\n').map(cellsOf);
  return lines.map((cells) => {
    if (cells.length !== names!.length) throw new Error(`${cells.length} cells: ${cells.join('|')}`);
    return Object.fromEntries(names!.map((name, column) => [name, cells[column]])) as unknown as TextRow;
  });
}

/** RFC 4180 without line breaks in cells. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
}

/** An exact fraction of two big integers. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A decimal, with or without an exponent, as a fraction. */
export function fraction(decimal: string | number): Fraction {
  const [, sign, whole, part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(decimal))!;
  const digits = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n);
  const shift = Number(exponent) - part.length;
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) };
}

export function product(...factors: readonly Fraction[]): Fraction {
  return factors.reduce((a, b) => ({
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  }));
}

export function sum(terms: readonly Fraction[]): Fraction {
  return terms.reduce(
    (a, b) => ({
      numerator: a.numerator * b.denominator + b.numerator * a.denominator,
      denominator: a.denominator * b.denominator,
    }),
    { numerator: 0n, denominator: 1n },
  );
}

/** Cents of a fraction of dollars that is not negative, rounded half up. */
export function centsHalfUp({ numerator, denominator }: Fraction): bigint {
  return (numerator * 200n + denominator) / (denominator * 2n);
}

/** The cents of a number of dollars in JSON text. @throws Error when it has more than two decimals */
export function centsOfText(text: string): bigint {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${text} is not dollars and cents`);
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

/** The usage of an item that is multiplied by the price, from the table of the price rules. */
export function usageFactors(
  priceUnit: string,
  item: { quantity: number; hoursPerMonth?: number | undefined; gbPerMonth?: number | undefined },
): Fraction[] {
  const quantity = fraction(item.quantity);
  if (['per hour', 'per vCPU-hour', 'per GB-hour'].includes(priceUnit)) {
    return [quantity, fraction(item.hoursPerMonth ?? 730)];
  }
  if (['per GB/month', 'per GB'].includes(priceUnit)) return [quantity, fraction(item.gbPerMonth ?? 1)];
  const isUnitAlone =
    priceUnit === 'per GB-second' ||
    priceUnit === 'per month' ||
    /^per (metric|alarm|secret|key|policy|server)\/month$/.test(priceUnit) ||
    /^per (million|10K|100K|1K) [A-Za-z]+$/.test(priceUnit);
  if (!isUnitAlone) throw new Error(`the table has no ${priceUnit}`);
  return [quantity];
}

/** The 15 worked lines of the price rules: the item, and monthlyUsd as in the table. */
export const WORKED_LINES: readonly (readonly [item: Record<string, string | number>, monthlyUsd: string])[] = [
  [{ provider: 'aws', service: 'EC2', instance: 't3.medium', quantity: 2 }, '60.74'],
  [{ provider: 'aws', service: 'EC2', instance: 'c7g.xlarge', quantity: 1, hoursPerMonth: 1 }, '0.15'],
  [{ provider: 'azure', service: 'Virtual Machines', instance: 'B1s', quantity: 3, hoursPerMonth: 200 }, '6.24'],
  [{ provider: 'aws', service: 'S3', instance: 'Standard', quantity: 1, gbPerMonth: 500 }, '11.50'],
  [{ provider: 'aws', service: 'S3', instance: 'Standard', quantity: 500 }, '11.50'],
  [
    { provider: 'gcp', service: 'Network Egress', instance: 'Premium tier internet', quantity: 2, gbPerMonth: 250 },
    '60.00',
  ],
  [{ provider: 'aws', service: 'Fargate', instance: 'vCPU x86', quantity: 2 }, '59.10'],
  [{ provider: 'aws', service: 'Fargate', instance: 'Memory x86', quantity: 4 }, '12.98'],
  [{ provider: 'aws', service: 'Lambda', instance: 'Duration x86', quantity: 400_000 }, '6.67'],
  [{ provider: 'aws', service: 'Lambda', instance: 'Requests', quantity: 2.5 }, '0.50'],
  [{ provider: 'gcp', service: 'Firestore', instance: 'Document reads', quantity: 30 }, '0.90'],
  [{ provider: 'aws', service: 'CloudFront', instance: 'HTTPS requests', quantity: 150 }, '1.50'],
  [{ provider: 'aws', service: 'Textract', instance: 'Detect Document Text', quantity: 12 }, '18.00'],
  [{ provider: 'azure', service: 'Defender for Cloud', instance: 'Servers Plan 2', quantity: 5 }, '73.00'],
  [{ provider: 'gcp', service: 'Cloud Run', instance: 'Requests', quantity: 0.01 }, '0.00'],
];
