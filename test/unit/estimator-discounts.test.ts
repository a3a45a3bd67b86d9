import fc from 'fast-check';
import { checkDiscounts, type DiscountInput } from '../../dashboard/src/estimator/list-discounts';
import { toCsv, toJson } from '../../dashboard/src/estimator/export-list';
import { newLine, priceList } from '../../dashboard/src/estimator/shopping-list';
import { CATEGORIES, createCatalogIndex, PROVIDERS } from '../../src/domain/catalog';
import { estimateCost, sumOf } from '../../src/domain/cost-estimate';
import { percentOff, type Discount } from '../../src/domain/discounts';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const entries = readBuiltInCatalog().rows;
const index = createCatalogIndex(entries);
const MEDIUM = { provider: 'aws', service: 'EC2', instance: 't3.medium' } as const;
const entryOf = (of: { provider: 'aws'; service: string; instance: string }) =>
  index.findService(of.provider, of.service)!.find(of.instance)!;

/** A decimal as a whole number of its last of 30 places. */
function units(decimal: number | string): bigint {
  const text =
    typeof decimal === 'string'
      ? decimal
      : decimal.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false });
  const [whole = '0', places = ''] = text.split('.');
  return BigInt(whole + places.padEnd(30, '0'));
}

const anyDiscount: fc.Arbitrary<Discount> = fc.record({
  provider: fc.constantFrom('all', ...PROVIDERS),
  category: fc.constantFrom('all', ...CATEGORIES),
  percent: fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000),
});

describe('discounts', () => {
  it('are exact, in any order and number', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.array(anyDiscount, { maxLength: 5 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (entry, discounts, quantity) => {
          const priced = index.findService(entry.provider, entry.service)!.find(entry.instance)!;
          const usage = priced.form.usage === undefined ? 1 : 3;
          const item = { ...entry, quantity, ...(priced.form.usage && { [priced.form.usage]: usage }) };
          const applied = discounts.filter(
            ({ provider, category }) =>
              ['all', entry.provider].includes(provider) && ['all', entry.category].includes(category),
          );
          // In units of 30 places, and of a thousandth of a percent for each discount.
          let numerator = units(entry.priceUsd) * BigInt(quantity) * BigInt(usage) * 100n;
          let denominator = 10n ** 30n;
          for (const { percent } of applied) {
            numerator *= 100_000n - BigInt(Math.round(percent * 1_000));
            denominator *= 100_000n;
          }
          const cents = Number((2n * numerator + denominator) / (2n * denominator));
          const result = estimateCost(index, [item], discounts);
          expect(result.ok && result.estimate.totalMonthlyUsd).toBe(cents / 100);
          expect(sumOf([{ item, priced }], discounts.toReversed())).toBe(cents / 100);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of nothing change nothing', () => {
    const items = [{ ...MEDIUM, quantity: 2 }];
    const none: Discount[] = [
      { provider: 'azure', category: 'all', percent: 50 },
      { provider: 'aws', category: 'storage', percent: 50 },
      { provider: 'all', category: 'all', percent: 0 },
    ];
    expect(estimateCost(index, items, none)).toEqual(estimateCost(index, items));
  });

  it.each([
    [[20, 10], '28'],
    [[12.5, 33.3], '41.6375'],
    [[100, 50], '100'],
    [[0.000000000001], '0.000000000001'],
    [[], '0'],
  ])('of %j percent take %s off together', (percents, off) => {
    const discounts = percents.map((percent) => ({ provider: 'aws', category: 'all', percent }) as const);
    expect(percentOff(discounts, entryOf(MEDIUM).entry)).toBe(off);
  });

  it('that can not be read are not counted, and say why', () => {
    const typed = ['20', '', '101', '-5', '12,5', '1e1', '100'].map((percent, id) => {
      const input: DiscountInput = { provider: 'aws', category: 'all', percent };
      return { ...input, id };
    });
    const checked = checkDiscounts(typed, [{ priced: entryOf(MEDIUM) }]);
    expect(checked.map(({ problem, discount }) => problem ?? discount?.percent)).toEqual([
      20,
      'Must be a number from 0 to 100',
      'Must be a number from 0 to 100',
      'Must be a number from 0 to 100',
      'Write decimals with a point: 12.5',
      'Write all its digits: 10',
      100,
    ]);
    expect(checked.every(({ lineCount }) => lineCount === 1)).toBe(true);
  });

  it('are in the CSV and in the JSON, beside what the API answers', async () => {
    const line = { ...newLine(entryOf(MEDIUM)), id: 1 };
    const list = priceList(index, [line], [{ provider: 'aws', category: 'compute', percent: '12.5', id: 2 }]);
    const rows = (await toCsv(list)).split('\r\n');
    expect(rows[1]).toMatch(/,per hour,30\.37,12\.5,26\.57$/);
    expect(rows[2]).toMatch(/^total a month,.*,30\.37,,26\.57$/);
    expect(rows[3]).toMatch(/^total a year,.*,364\.44,,318\.84$/);
    const file = JSON.parse(toJson(list, new Date(0)));
    expect(file.response.totalMonthlyUsd).toBe(30.37);
    expect(file.discounted.breakdown[0].monthlyUsd).toBe(26.57);
    expect(file.discounts).toEqual([{ provider: 'aws', category: 'compute', percent: 12.5 }]);
  });
});
