import fc from 'fast-check';
import { choiceOf, compareProviders, keyOfOffer, NOTHING } from '../../dashboard/src/estimator/comparison';
import { toCsv, toCurl } from '../../dashboard/src/estimator/export-list';
import { MAX_DISCOUNTS, type DiscountInput } from '../../dashboard/src/estimator/list-discounts';
import { decodeList, encodeList } from '../../dashboard/src/estimator/share-link';
import { findEntry, newLine, priceList, type LineInput } from '../../dashboard/src/estimator/shopping-list';
import { CATEGORIES, createCatalogIndex, PROVIDERS, type CatalogEntry } from '../../src/domain/catalog';
import { estimateCost, MAX_ITEMS } from '../../src/domain/cost-estimate';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const entries: readonly CatalogEntry[] = readBuiltInCatalog().rows;
const index = createCatalogIndex(entries);

/** @param name such as `aws / EC2 / t3.medium` */
function line(name: string, quantity = '1', usage = ''): LineInput {
  const [provider, service, instance] = name.split(' / ') as [LineInput['provider'], string, string];
  return { provider, service, instance, quantity, usage };
}

const priced = (...inputs: LineInput[]) =>
  priceList(
    index,
    inputs.map((input, at) => ({ ...input, id: at + 1 })),
  );

const TOO_MANY = `#v1${'&aws/S3/Standard/1/1'.repeat(MAX_ITEMS + 7)}`;

describe('a shared list', () => {
  const anyLine: fc.Arbitrary<LineInput> = fc.record({
    provider: fc.constantFrom(...PROVIDERS),
    service: fc.string({ minLength: 1, unit: 'binary' }),
    instance: fc.string({ minLength: 1 }),
    quantity: fc.constantFrom('', '1', '2.5', '.5', '1000000000', '0.000001'),
    usage: fc.constantFrom('', '730', '0'),
  });

  const anyDiscount: fc.Arbitrary<DiscountInput> = fc.record({
    provider: fc.constantFrom('all', ...PROVIDERS),
    category: fc.constantFrom('all', ...CATEGORIES),
    percent: fc.constantFrom('', '20', '0.5', '1e1', '150', 'half/price & more'),
  });

  it('is restored unchanged, whatever its names', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: MAX_ITEMS }),
        fc.array(anyDiscount, { maxLength: MAX_DISCOUNTS }),
        (lines, discounts) => {
          expect(decodeList(`#${encodeList({ lines, discounts })}`)).toEqual({ lines, discounts, unreadable: 0 });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('survives a broken link', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom('', '#v1&'), fc.string()).map((parts) => parts.join('')),
        (hash) => {
          const { lines, unreadable } = decodeList(hash);
          expect(lines.length).toBeLessThanOrEqual(MAX_ITEMS);
          expect(unreadable).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it.each([
    ['#v1&aws/EC2/t3.medium/2/730&%E0%A4%A/x/y/1/', 1, 1],
    ['#v1&oracle/EC2/t3.medium/2/730', 0, 1],
    ['#v1&aws/EC2/t3.medium/2', 0, 1],
    ['#v2&aws/EC2/t3.medium/2/730', 0, 1],
    ['#v1&discount/aws/compute/20&aws/EC2/t3.medium/2/730', 1, 0],
    ['#v1&discount/oracle/compute/20&discount/aws/fish/20&discount/aws/20', 0, 3],
    [`#v1${'&discount/all/all/1'.repeat(MAX_DISCOUNTS + 2)}`, 0, 2],
    ['#main', 0, 1],
    ['', 0, 0],
    [TOO_MANY, MAX_ITEMS, 7],
  ])('keeps the readable part of %s and counts the rest', (hash, kept, lost) => {
    const { lines, unreadable } = decodeList(hash);
    expect([lines.length, unreadable]).toEqual([kept, lost]);
  });

  it.each(['-1', '1e6', '0,5', 'NaN', '<b>', '½'])('keeps %s, as it was typed', (text) => {
    const { lines } = decodeList(`#v1&aws/EC2/t3.medium/${encodeURIComponent(text)}/730`);
    expect(lines[0]?.quantity).toBe(text);
  });

  it('leaves out a number that nobody types', () => {
    expect(decodeList(`#v1&aws/EC2/t3.medium/${'1'.repeat(41)}/730`).lines[0]?.quantity).toBe('');
  });

  it('can be made of half a character, which no address can have', () => {
    const half = { lines: [line('aws / EC2 / t3.medium', '\u{D83D}')], discounts: [] };
    expect(decodeList(encodeList(half)).lines[0]?.quantity).toBe('\u{FFFD}');
  });
});

describe('the totals of the page', () => {
  it('equal those of the API for any list', () => {
    const anyInput = fc
      .tuple(fc.constantFrom(...entries), fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 744 }))
      .map(([{ provider, service, instance }, quantity, usage]) =>
        line(`${provider} / ${service} / ${instance}`, String(quantity / 8), String(usage)),
      );
    fc.assert(
      fc.property(fc.array(anyInput, { minLength: 1, maxLength: 20 }), (inputs) => {
        const { lines, estimate } = priced(...inputs);
        const asked = estimateCost(index, JSON.parse(JSON.stringify(lines.map(({ item }) => item))));
        expect(asked.ok && asked.estimate).toEqual(estimate);
        expect(lines.map(({ monthlyUsd }) => monthlyUsd)).toEqual(
          estimate?.breakdown.map(({ monthlyUsd }) => monthlyUsd),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('leave out a line with a problem, which appears at its field', () => {
    const { lines, estimate } = priced(
      line('aws / EC2 / t3.medium', '2', '730'),
      line('aws / EC2 / t3.medium', '', '745'),
      line('aws / S3 / Standard', '2000000000', '1'),
    );
    expect(lines.map(({ problems, monthlyUsd }) => ({ ...problems, monthlyUsd }))).toEqual([
      { monthlyUsd: 60.74 },
      { quantity: expect.stringContaining('Must be a number'), usage: 'Must be a number from 0 to 744' },
      { quantity: 'Must be a number from 0 to 1,000,000,000' },
    ]);
    expect(estimate?.totalMonthlyUsd).toBe(60.74);
  });

  it('leave out a line whose number can not be read as it stands', () => {
    const { lines, estimate } = priced(
      line('aws / EC2 / t3.medium', '2', '730'),
      line('aws / EC2 / t3.medium', '1e6', '730'),
      line('aws / S3 / Standard', '1', '0,5'),
      line('aws / S3 / Standard', '-3', '1'),
    );
    expect(lines.map(({ problems, monthlyUsd }) => ({ ...problems, monthlyUsd }))).toEqual([
      { monthlyUsd: 60.74 },
      { quantity: 'Write all its digits: 1000000' },
      { usage: 'Write decimals with a point: 0.5' },
      { quantity: 'Must be a number from 0 to 1,000,000,000' },
    ]);
    expect(estimate?.totalMonthlyUsd).toBe(60.74);
  });

  it('start with usage that every price unit accepts', () => {
    const inputs = entries.map((entry) => newLine(findEntry(index, entry)!));
    for (let at = 0; at < inputs.length; at += MAX_ITEMS) {
      const { lines } = priced(...inputs.slice(at, at + MAX_ITEMS));
      expect(lines.filter(({ monthlyUsd }) => monthlyUsd === undefined)).toEqual([]);
    }
  });
});

describe('the comparison', () => {
  const chosenOf = (name: string, usage = '730') =>
    compareProviders(index, priced(line(name, '1', usage)).lines, {}).lines[0]!.counterparts;
  const namesOf = (name: string, usage?: string) =>
    chosenOf(name, usage).map(({ chosen, reason }) => (chosen ? keyOfOffer(chosen) : reason.split(':')[0]));
  const NONE = 'No equivalent';

  it.each([
    ['aws / EC2 / t3.medium', ['EC2 / t3.medium', 'Virtual Machines / B2s', 'Compute Engine / e2-medium']],
    ['aws / S3 / Standard', ['S3 / Standard', 'Blob Storage / Hot ZRS', 'Cloud Storage / Standard']],
    [
      'azure / Functions / Executions',
      ['Lambda / Requests', 'Functions / Executions', 'Cloud Functions / Invocations'],
    ],
    [
      'aws / RDS for MySQL / db.m5.large',
      [
        'RDS for MySQL / db.m5.large',
        'Database for MySQL / Flexible D2ads_v5',
        '2 × Cloud SQL / Enterprise vCPU + 8 × Cloud SQL / Enterprise memory',
      ],
    ],
    ['azure / Defender for Cloud / Servers Plan 2', [NONE, 'Defender for Cloud / Servers Plan 2', NONE]],
    // Wrong winners of 27 November 2026.
    ['aws / Lambda / Duration x86', ['Lambda / Duration x86', 'Functions / Execution time', NONE]],
    ['aws / Lambda / Duration Arm', ['Lambda / Duration Arm', NONE, NONE]],
    ['aws / RDS for PostgreSQL / db.t3.large', ['RDS for PostgreSQL / db.t3.large', NONE, NONE]],
    ['aws / RDS for MySQL / db.t3.large Multi-AZ', ['RDS for MySQL / db.t3.large Multi-AZ', NONE, NONE]],
    ['aws / NAT Gateway / Gateway hour', ['NAT Gateway / Gateway hour', NONE, NONE]],
    ['aws / CloudFront / Data transfer out', ['CloudFront / Data transfer out', NONE, NONE]],
    ['aws / Bedrock / Nova Lite input', ['Bedrock / Nova Lite input', NONE, NONE]],
  ])('offers only honest equivalents of %s', (name, expected) => {
    const usage = findEntry(index, line(name))!.form.usage === undefined ? '' : '1';
    expect(namesOf(name, usage)).toEqual(expected);
  });

  it('prices an equivalent of several parts as their sum', () => {
    const [, , gcp] = chosenOf('aws / RDS for MySQL / db.m5.large');
    const parts = [
      { provider: 'gcp', service: 'Cloud SQL', instance: 'Enterprise vCPU', quantity: 2 },
      { provider: 'gcp', service: 'Cloud SQL', instance: 'Enterprise memory', quantity: 8 },
    ];
    const asked = estimateCost(index, parts);
    expect(gcp!.monthlyUsd).toBe(asked.ok && asked.estimate.totalMonthlyUsd);
  });

  it('adds up a full list of equivalents with several parts, which is more than an estimate may have', () => {
    const full = priced(
      ...Array.from({ length: MAX_ITEMS }, () => line('aws / RDS for MySQL / db.m5.large', '1', '1')),
    );
    const { totals } = compareProviders(index, full.lines, {});
    expect(totals).toEqual({ aws: 17.1, azure: 19.5, gcp: 13.86 });
  });

  it("adds up only lines that every provider has, at the API's prices", () => {
    const { lines } = priced(
      line('aws / EC2 / t3.medium', '2', '730'),
      line('azure / Defender for Cloud / Servers Plan 2', '5'),
    );
    const { totals } = compareProviders(index, lines, {});
    expect(totals.aws).toBe(60.74);
    const without = compareProviders(index, lines, { [choiceOf(1, 'gcp')]: NOTHING });
    expect(without.totals).toEqual({ aws: 0, azure: 0, gcp: 0 });
    expect(without.lines[0]!.isComplete).toBe(false);
  });
});

describe('an export', () => {
  const list = priced(line('aws / Lambda / Duration x86', '400000'), line('aws / S3 / Standard', '1', '500'));

  it('has every figure in plain decimals, and the totals', async () => {
    const rows = (await toCsv(list)).split('\r\n');
    expect(rows).toEqual([
      'provider,category,service,instance,specs,region,quantity,quantityMeans,hoursPerMonth,gbPerMonth,priceUsd,priceUnit,listMonthlyUsd,percentOff,monthlyUsd',
      'aws,serverless,Lambda,Duration x86,"Memory-time, first 6 billion GB-seconds",us-east-1,400000,GB-seconds a month,,,0.0000166667,per GB-second,6.67,0,6.67',
      'aws,storage,S3,Standard,First 50 TB of object storage,us-east-1,1,volumes or buckets,,500,0.023,per GB/month,11.50,0,11.50',
      expect.stringMatching(/^total a month,.*,18\.17$/),
      expect.stringMatching(/^total a year,.*,218\.04$/),
    ]);
  });

  it.each(['=HYPERLINK("http://x")', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1'])(
    'writes %j so that no spreadsheet calculates it',
    async (text) => {
      const [first] = list.lines;
      const hostile = { ...first!, priced: { ...first!.priced, entry: { ...first!.priced.entry, specs: text } } };
      const csv = await toCsv({ ...list, lines: [hostile] });
      expect(csv).toContain(`'${text.replaceAll('"', '""')}`);
      expect(csv).not.toMatch(/(^|,|\n)"?[=+@\t\r]/);
    },
  );

  it('as a command quotes names correctly', () => {
    const [first] = list.lines;
    const quoted = { ...first!, item: { ...first!.item, service: "O'Neil; rm" } };
    expect(toCurl([quoted], 'https://x.example')).toContain(String.raw`"service":"O'\''Neil; rm"`);
  });
});
