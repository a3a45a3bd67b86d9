import fc from 'fast-check';
import { createCatalogIndex, entryOf, type CatalogIndex } from '../../src/domain/catalog';
import { estimateCost, MAX_ITEMS, type Estimate, type PricedEstimate } from '../../src/domain/cost-estimate';
import type { EstimateItem } from '../../src/domain/estimate-item';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';
import { presentEstimate } from '../../src/estimator/present';
import {
  centsHalfUp,
  centsOfText,
  fraction,
  product,
  sum,
  textRows,
  usageFactors,
  type TextRow,
} from '../support/estimator-exact';

const rows = textRows();
const index = createCatalogIndex(readBuiltInCatalog().rows.map(entryOf));

/** Prices items that are right. */
function priced(items: readonly unknown[], catalog: CatalogIndex = index): PricedEstimate {
  const result = estimateCost(catalog, items);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

const estimated = (items: readonly unknown[]): Estimate => priced(items).estimate;

/** The answer as callers get it: with every number as text, so that nothing is lost in reading. */
function answered(result: PricedEstimate) {
  const text = presentEstimate(result, new Date(0));
  expect(JSON.parse(text)).toEqual({ ...result.estimate, generatedAt: '1970-01-01T00:00:00.000Z' });
  return {
    text,
    totalMonthlyUsd: /"totalMonthlyUsd":([^,]*)/.exec(text)![1]!,
    totalAnnualUsd: /"totalAnnualUsd":([^,]*)/.exec(text)![1]!,
    monthlyUsd: [...text.matchAll(/"monthlyUsd":([^,}]*)/g)].map((match) => match[1]!),
  };
}

/** The exact cost of an item, computed from the file's text with big fractions. */
function exactCost(row: TextRow, item: Pick<EstimateItem, 'quantity' | 'hoursPerMonth' | 'gbPerMonth'>) {
  return product(fraction(row.priceUsd), ...usageFactors(row.priceUnit, item));
}

/** Quantities and hours, both usual and unusual. */
const amount = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: Math.min(most, 100_000) }) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: Math.min(most, 10_000) * 100 }).map((cents) => cents / 100) },
    { weight: 2, arbitrary: fc.double({ min: 0, max: most, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -0, 5e-324, 1e-320, 1e-7, most) },
  );
const usage = fc.record(
  { quantity: amount(1_000_000), hoursPerMonth: amount(744), gbPerMonth: amount(10_000) },
  { requiredKeys: ['quantity'] },
);
const basket = fc.array(fc.tuple(fc.constantFrom(...rows), usage), { minLength: 1, maxLength: MAX_ITEMS });
const itemOf = ([row, used]: readonly [TextRow, object]) => {
  const { provider, service, instance } = row;
  return { provider, service, instance, ...used };
};

describe('compared with exact fractions', () => {
  it.each(rows.map((row) => [`${row.provider} ${row.service} / ${row.instance}, ${row.priceUnit}`, row] as const))(
    '%s',
    (_name, row) => {
      fc.assert(
        fc.property(usage, (used) => {
          const { text, monthlyUsd, totalMonthlyUsd, totalAnnualUsd } = answered(priced([itemOf([row, used])]));
          const cents = centsHalfUp(exactCost(row, used));
          expect([centsOfText(monthlyUsd[0]!), centsOfText(totalMonthlyUsd)]).toEqual([cents, cents]);
          expect(centsOfText(totalAnnualUsd)).toBe(12n * cents);
          const price = row.priceUsd.replace(/\.0+$/, '');
          expect(text).toContain(`"unitPrice":${price},"priceUnit":"${row.priceUnit}"`);
        }),
        { numRuns: 20 },
      );
    },
  );

  it('the total is the rounded sum of the exact lines, and the year is twelve times the total', () => {
    fc.assert(
      fc.property(basket, (chosen) => {
        const { monthlyUsd, totalMonthlyUsd, totalAnnualUsd } = answered(priced(chosen.map(itemOf)));
        const exact = chosen.map(([row, used]) => exactCost(row, used));
        expect(monthlyUsd.map(centsOfText)).toEqual(exact.map(centsHalfUp));
        expect(centsOfText(totalMonthlyUsd)).toBe(centsHalfUp(sum(exact)));
        expect(centsOfText(totalAnnualUsd)).toBe(12n * centsOfText(totalMonthlyUsd));
      }),
      { numRuns: 60 },
    );
  });

  it('totals are exact to the cent up to the largest possible', () => {
    // 9,999,999,999,999.97 a month; its year has more digits than a double.
    const entry = { ...entryOf(readBuiltInCatalog().rows[0]!), priceUsd: 9_999.99999999997, priceUnit: 'per month' };
    const items = [{ provider: 'aws', service: entry.service, quantity: 1e9 }];
    const text = presentEstimate(priced(items, createCatalogIndex([entry])), new Date(0));
    expect(text).toMatch(/^\{"totalMonthlyUsd":9999999999999\.97,"totalAnnualUsd":119999999999999\.64,/);
  });
});

describe('with any items', () => {
  it('no number of the answer is NaN, -0, or written with an exponent', () => {
    fc.assert(
      fc.property(basket, (chosen) => {
        const result = priced(chosen.map(itemOf));
        const { breakdown, totalMonthlyUsd, totalAnnualUsd } = result.estimate;
        const lines = breakdown.flatMap((line) => [line.quantity, line.unitPrice, line.monthlyUsd]);
        for (const number of [...lines, totalMonthlyUsd, totalAnnualUsd]) {
          expect([Number.isFinite(number), Object.is(number, -0)]).toEqual([true, false]);
        }
        for (const [, number] of answered(result).text.matchAll(/"(?:quantity|unitPrice|\w+Usd)":([^,}]*)/g)) {
          expect(number).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('a line echoes its item unchanged', () => {
    const said = { provider: ' CLOUD_A ', service: 'ec2\u00a0', instance: ' T3.Medium', quantity: 0.1 };
    expect(estimated([{ ...said, priceUsd: 7, extra: [] }]).breakdown).toEqual([
      { ...said, unitPrice: 0.0416, priceUnit: 'per hour', monthlyUsd: 3.04 },
    ]);
  });

  it('an item without an instance gets the first one of its service, and the line names it', () => {
    const firsts = new Map(rows.toReversed().map((row) => [`${row.provider} ${row.service}`, row]));
    for (const { provider, service, instance, priceUsd } of firsts.values()) {
      const [line] = estimated([{ provider, service, quantity: 1 }]).breakdown;
      expect([line!.instance, line!.unitPrice]).toEqual([instance, Number(priceUsd)]);
    }
  });

  it('a whole catalog entry is accepted as an item', () => {
    for (const entry of readBuiltInCatalog().rows)
      expect(estimated([{ ...entry, quantity: 1 }]).breakdown).toHaveLength(1);
  });

  it.each([
    ['cloud_a', 'aws'],
    ['cloud_b', 'azure'],
    ['cloud_c', 'gcp'],
  ])('%s is accepted as an alias of %s', (alias, provider) => {
    const own = rows.filter((row) => row.provider === provider).slice(0, MAX_ITEMS);
    const items = own.map((row) => itemOf([row, { quantity: 3 }]));
    const aliased = items.map((item) => ({ ...item, provider: alias }));
    expect(estimated(aliased).totalMonthlyUsd).toBe(estimated(items).totalMonthlyUsd);
  });
});

describe('refused items', () => {
  const item = { provider: 'aws', service: 'EC2', instance: 't3.medium', quantity: 1 };
  const problemsOf = (items: unknown): [path: string, message: string][] => {
    const result = estimateCost(index, items);
    return result.ok ? [] : result.problems.map(({ path, message }) => [path, message]);
  };
  const OF_PROVIDER = 'must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c)';
  const OF_QUANTITY = 'must be a number from 0 to 1000000000';

  it.each<[what: string, change: object, problem: [string, string]]>([
    ['no provider', { provider: undefined }, ['provider', 'is required']],
    ['a provider that is a number', { provider: 1 }, ['provider', 'must be a string']],
    ['another provider', { provider: 'ibm' }, ['provider', OF_PROVIDER]],
    ['a provider of every object', { provider: 'constructor' }, ['provider', OF_PROVIDER]],
    ['no service', { service: undefined }, ['service', 'is required']],
    ['a service that is null', { service: null }, ['service', 'must be a string']],
    ['an instance that is null', { instance: null }, ['instance', 'must be a string']],
    ['an unknown service', { service: 'EC3' }, ['service', 'is not a service of aws in the catalog']],
    ['an empty service', { service: '' }, ['service', 'is not a service of aws in the catalog']],
    ['an unknown instance', { instance: 't3.huge' }, ['instance', 'is not an instance of aws EC2 in the catalog']],
    ['an empty instance', { instance: '' }, ['instance', 'is not an instance of aws EC2 in the catalog']],
    ['no quantity', { quantity: undefined }, ['quantity', 'is required']],
    ['a quantity that is null', { quantity: null }, ['quantity', 'must be a number']],
    ['a quantity in quotes', { quantity: '5' }, ['quantity', 'must be a number']],
    ['a quantity that is not a number', { quantity: NaN }, ['quantity', OF_QUANTITY]],
    ['an infinite quantity', { quantity: Infinity }, ['quantity', OF_QUANTITY]],
    ['1e308', { quantity: 1e308 }, ['quantity', OF_QUANTITY]],
    ['a quantity just too large', { quantity: 1_000_000_000.1 }, ['quantity', OF_QUANTITY]],
    ['a negative quantity', { quantity: -1e-320 }, ['quantity', OF_QUANTITY]],
    ['more hours than a month has', { hoursPerMonth: 744.1 }, ['hoursPerMonth', 'must be a number from 0 to 744']],
    ['hours that are null', { hoursPerMonth: null }, ['hoursPerMonth', 'must be a number']],
    ['GB that nothing uses, and are wrong', { gbPerMonth: -1 }, ['gbPerMonth', OF_QUANTITY]],
  ])('%s', (_what, change, [field, message]) => {
    // JSON has no NaN and no infinity; the page's inputs have.
    expect(problemsOf([item, { ...item, ...change }])).toEqual([[`items[1].${field}`, message]]);
  });

  it.each<[what: string, items: unknown, message: string]>([
    ['no items', undefined, 'is required'],
    ['null', null, 'must be an array'],
    ['an object', { 0: item, length: 1 }, 'must be an array'],
    ['none', [], 'must have at least one item'],
    ['101', Array.from({ length: 101 }, () => item), 'must have at most 100 items'],
    [
      'a total that is too large',
      [{ ...item, service: 'S3', instance: 'Standard', quantity: 1e9, gbPerMonth: 1e9 }],
      'must not add up to more than 10,000,000,000,000 US dollars a month',
    ],
  ])('%s for items', (_what, items, message) => {
    expect(problemsOf(items)).toEqual([['items', message]]);
  });

  it.each([[null], [1], ['x'], [[item]]])('%j is refused as an item', (value) => {
    expect(problemsOf([value])).toEqual([['items[0]', 'must be an object']]);
  });

  it('the limits themselves are priced', () => {
    const most = { ...item, hoursPerMonth: 744, gbPerMonth: 1e9 };
    const usages = [0, -0, 1e-320, 5e-324, 1e9].map((quantity) => ({ ...most, quantity }));
    expect(estimated(usages).breakdown.map(({ monthlyUsd }) => monthlyUsd)).toEqual([0, 0, 0, 0, 30_950_400_000]);
    expect(estimated(Array.from({ length: MAX_ITEMS }, () => item)).totalMonthlyUsd).toBe(3_036.8);
  });
});
