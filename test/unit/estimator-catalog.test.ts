import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { createCatalogIndex, CATEGORIES, entryOf, PROVIDERS, type CatalogRow } from '../../src/domain/catalog';
import { InvalidRequestError } from '../../src/domain/errors';
import { formOfPriceUnit } from '../../src/domain/price-unit';
import { readBuiltInCatalog, importCatalog } from '../../src/estimator/import-catalog';
import { parseCatalog } from '../../src/estimator/parse-catalog';
import { textRows, usageFactors, type TextRow } from '../support/estimator-exact';

const { rows, origin, revision } = readBuiltInCatalog();
const texts = textRows();

/** Units of the specification. */
const UNITS = [
  ...['per hour', 'per GB/month', 'per GB', 'per vCPU-hour', 'per GB-hour', 'per GB-second', 'per month'],
  ...['metric', 'alarm', 'secret', 'key', 'policy', 'server'].map((thing) => `per ${thing}/month`),
  ...'reads writes invocations calls requests publishes deliveries events traces tokens spans operations tasks RUs'
    .split(' ')
    .map((things) => `per million ${things}`),
  ...['per 10K requests', 'per 10K operations', 'per 100K reads', 'per 100K writes', 'per 1K transactions'],
];

/** How many different ones there are. */
const countOf = (name: (row: TextRow) => string): number => new Set(texts.map(name)).size;

describe('the built-in catalog', () => {
  it('has as many prices of a GB whose source says GiB as the documentation says', () => {
    const perGb = texts.filter(({ priceUnit }) => priceUnit.includes('GB'));
    const inGib = perGb.filter((row) => /[GT]iB/.test(Object.values(row).join(' ')));
    const page = readFileSync(join(__dirname, '..', '..', 'docs', 'estimator.md'), 'utf8');
    expect(page).toContain(`for ${inGib.length} of the ${perGb.length} built-in\nentries with such a unit`);
  });

  it('has 216 rows, each as in the file', () => {
    expect(rows).toEqual(texts.map((row) => ({ ...row, priceUsd: Number(row.priceUsd) })));
    expect(rows).toHaveLength(216);
  });

  it('has a new version whenever its rows change', () => {
    // A changed row needs a higher BUILT_IN_VERSION: an older process must not put its prices back.
    expect([origin, revision]).toEqual([
      { source: 'built-in', version: 2 },
      '5dab88a54fb82bdab9a73b612789711ec4ac7f55209cf7ae5ae563f8912d4640',
    ]);
  });

  it.each(texts.map((row, at) => [`${at + 1} ${row.provider} ${row.service} / ${row.instance}`, row] as const))(
    'row %s',
    (_name, row) => {
      const { note, priceUsd, ...others } = row;
      for (const text of Object.values(others)) {
        expect(text).toBe(text.trim());
        expect(text).toMatch(/^[\x20-\x7e]+$/);
      }
      expect(priceUsd).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(priceUsd)).toBeGreaterThan(0);
      expect(Number(priceUsd)).toBeLessThan(10_000);
      expect(PROVIDERS).toContain(row.provider);
      expect(CATEGORIES).toContain(row.category);
      expect(UNITS).toContain(row.priceUnit);
      expect(row.specs.length <= 100 && row.instance.length <= 60 && row.service.length <= 40).toBe(true);
      expect(row.region).toMatch(/^([a-z]+(-?[a-z]+)*-?\d*|global|eu|us)$/);
      expect(`${row.source}${note}`.toLowerCase()).not.toContain('from memory');
      expect(row.sourceDate).toMatch(/^(\d{4}(-\d\d(-\d\d)?)?|undated)$/);
      expect(row.grade).toMatch(/^[ABC]$/);
    },
  );

  it('names each configuration once, ignoring case', () => {
    expect(countOf(({ provider, service, instance }) => `${provider}/${service}/${instance}`.toLowerCase())).toBe(216);
  });

  it('has every category of every provider and every unit, and each service in one category', () => {
    expect(countOf(({ provider, category }) => `${provider} ${category}`)).toBe(PROVIDERS.length * CATEGORIES.length);
    expect([...new Set(texts.map(({ priceUnit }) => priceUnit))].toSorted()).toEqual(UNITS.toSorted());
    expect(countOf(({ provider, service, category }) => `${provider} ${service} ${category}`)).toBe(
      countOf(({ provider, service }) => `${provider} ${service}`),
    );
  });
});

describe('price units', () => {
  it.each(UNITS)('%s takes the fields that the table in the rules gives it', (unit) => {
    const form = formOfPriceUnit(unit)!;
    const factors = usageFactors(unit, { quantity: 3, hoursPerMonth: 5, gbPerMonth: 7 }).map(
      ({ numerator }) => numerator,
    );
    expect(factors).toEqual({ hoursPerMonth: [3n, 5n], gbPerMonth: [3n, 7n], none: [3n] }[form.usage ?? 'none']);
  });

  it.each([
    ['per hour', 'instances', 1],
    ['per vCPU-hour', 'vCPUs', 1],
    ['per GB/month', 'volumes or buckets', 1],
    ['per policy/month', 'policies', 1],
    ['per key/month', 'keys', 1],
    ['per million requests', 'million requests', 1_000_000],
    ['per 10K operations', 'blocks of 10,000 operations', 10_000],
    ['per 1K transactions', 'blocks of 1,000 transactions', 1_000],
    ['per 100K reads', 'blocks of 100,000 reads', 100_000],
  ])('%s counts %s', (unit, quantityMeans, blockSize) => {
    expect(formOfPriceUnit(unit)).toMatchObject({ quantityMeans, blockSize });
  });

  it.each(['', 'per', 'per year', 'per 5K reads', 'per million ', 'hour', 'per hour ', 'per Hour', 'constructor'])(
    '%j is not a price unit',
    (unit) => {
      expect(formOfPriceUnit(unit)).toBeUndefined();
      const entry = { ...entryOf(rows[0]!), priceUnit: unit };
      expect(() => createCatalogIndex([entry])).toThrow(RangeError);
    },
  );
});

describe('a catalog file', () => {
  const ROW = 'aws,compute,EC2,t3.medium,"2 vCPU, 4 GiB",per hour,0.0416,us-east-1';
  const NAMES = 'provider,category,service,instance,specs,priceUnit,priceUsd,region';
  const entry = {
    provider: 'aws',
    category: 'compute',
    service: 'EC2',
    instance: 't3.medium',
    specs: '2 vCPU, 4 GiB',
    priceUnit: 'per hour',
    priceUsd: 0.0416,
    region: 'us-east-1',
  };
  const row: CatalogRow = { ...(entry as CatalogRow), source: '', sourceDate: '', note: '', grade: '' };

  it.each<[what: string, content: string, expected?: readonly CatalogRow[]]>([
    ['CSV', `${NAMES}\n${ROW}\n`],
    ['CSV as spreadsheets write it', `\uFEFF${NAMES}\r\n${ROW}\r\n\r\n`],
    [
      'CSV with the columns in another order',
      'region,priceUsd,priceUnit,specs,instance,service,category,provider\nus-east-1,0.0416,per hour,"2 vCPU, 4 GiB",t3.medium,EC2,compute,aws',
    ],
    ['JSON', JSON.stringify([entry])],
    ['the answer of GET /api/cost-estimator', JSON.stringify({ count: 1, services: [entry] })],
    ['the built-in file', JSON.stringify(rows), rows],
  ])('%s is accepted', (_what, content, expected = [row]) => {
    expect(parseCatalog(content)).toEqual(expected);
  });

  /** @returns the lines of the error, without the first */
  function refusalOf(content: string): string[] {
    try {
      parseCatalog(content);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ code: 'invalid_catalog' });
      const [first, ...lines] = (error as Error).message.split('\n');
      expect(first).toBe("The catalog can't be used; nothing was changed.");
      return lines;
    }
    throw new Error('it was taken');
  }

  /** The one row, with another text at a place. */
  const csv = (was: string, is: string): string => `${NAMES}\n${ROW.replace(was, is)}`;
  const json = (change: object): string => JSON.stringify([{ ...entry, ...change }]);
  const IS_NUMBER = /^row 1: priceUsd must be a number/;

  it.each<[what: string, content: string, line: RegExp]>([
    ['nothing', '', /^A catalog has 1 to 5000 rows; this one has 0\.$/],
    ['names alone', NAMES, /this one has 0/],
    ['JSON that is cut', '[{"provider"', /^It is not JSON/],
    ['JSON of something else', '{"items":[]}', /an array of rows, or an object with "services"/],
    ['CSV with a cell too many', `${NAMES}\n${ROW},x`, /^It is not CSV/],
    ['an unknown column', `${NAMES},price\n${ROW},1`, /^row 1: .*"price"/],
    ['a missing column', csv(',us-east-1', '').replace(',region', ''), /^row 1: region must be a text/],
    ['an unknown provider', csv('aws', 'ibm'), /^row 1: provider must be one of aws, azure, gcp/],
    ['an unknown category', csv('compute', 'x'), /^row 1: category must be one of compute,/],
    ['an unknown unit', csv('per hour', 'per year'), /^row 1: priceUnit must be a unit/],
    ['a negative price', csv('0.0416', '-1'), IS_NUMBER],
    ['a price with an exponent', csv('0.0416', '1e3'), IS_NUMBER],
    ['a price with a comma', csv('0.0416', '"0,04"'), IS_NUMBER],
    ['no price', csv('0.0416', ''), IS_NUMBER],
    ['a price that is text in JSON', json({ priceUsd: '0.1' }), IS_NUMBER],
    ['a price that is too high', json({ priceUsd: 1e300 }), /^row 1: priceUsd must be at most/],
    ['an empty name', csv('EC2', ''), /^row 1: service must not be empty/],
    ['a padded name', csv('EC2', ' EC2'), /^row 1: service must not begin or end with a space/],
    ['a control character', json({ service: 'E\u0000C2' }), /control characters/],
    ['a long name', csv('EC2', 'x'.repeat(41)), /^row 1: service must have at most 40 characters/],
    ['the same twice', `${NAMES}\n${ROW}\n${ROW.replace('EC2', 'ec2')}`, /^row 2: aws ec2 t3\.medium is row 1 already/],
    [
      'a service in two categories',
      `${NAMES}\n${ROW}\n${ROW.replace('compute', 'cache').replace('medium', 'x')}`,
      /^row 2: aws EC2 is in the category compute already/,
    ],
    ['an invalid row', JSON.stringify([entry, 7]), /^row 2: /],
  ])('%s is refused', (_what, content, line) => {
    expect(refusalOf(content)).toEqual([expect.stringMatching(line)]);
  });

  it('reports every problem with its line, up to 20', () => {
    const broken = `${NAMES}\n${ROW.replace('0.0416', 'x').replace('aws', 'x')}\n${ROW.replace('per hour', 'x')}`;
    expect(refusalOf(broken).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'row 1: provider',
      'row 1: priceUsd',
      'row 2: priceUnit',
    ]);
    const lines = refusalOf([NAMES, ...Array.from({ length: 30 }, () => ROW.replace('0.0416', 'x'))].join('\n'));
    expect([lines.length, lines.at(-1)]).toEqual([21, '… and 10 more']);
  });

  describe('imported', () => {
    const other = { ...row, instance: 't3.micro', priceUsd: 0.0104 };
    const inForce = (current: readonly CatalogRow[] | null) => {
      const replaced: unknown[] = [];
      const catalogs = {
        read: async () =>
          current && { _id: 'current' as const, origin, revision: '', rows: current, changed_at: new Date(0) },
        replace: async (catalog: unknown) => void replaced.push(catalog),
      };
      return { catalogs, replaced };
    };

    it.each<
      [what: string, before: CatalogRow[], after: object[], changes: [change: string, instance: string, what: string][]]
    >([
      ['the same', [row, other], [row, other], []],
      ['a new row', [row], [row, other], [['added', 't3.micro', '0.0104 per hour']]],
      ['a removed row', [row, other], [row], [['removed', 't3.micro', '0.0104 per hour']]],
      ['another price', [row], [{ ...row, priceUsd: 0.05 }], [['changed', 't3.medium', 'priceUsd: 0.0416 → 0.05']]],
      [
        'several fields',
        [row],
        [{ ...row, service: 'ec2', source: 'our contract' }],
        [['changed', 't3.medium', 'service: EC2 → ec2, source: (none) → our contract']],
      ],
      ['another usual choice', [row, other], [other, row], [['default', 't3.micro', 'was t3.medium']]],
    ])('%s', async (_what, before, after, changes) => {
      const { catalogs, replaced } = inForce(before);
      const content = JSON.stringify(after);
      const dry = await importCatalog({ catalogs }, { content, dryRun: true, by: BY_COMMAND_LINE });
      expect(dry.changes.map(({ change, instance, what }) => [change, instance, what])).toEqual(changes);
      expect(replaced).toEqual([]);
      const real = await importCatalog({ catalogs }, { content, dryRun: false, by: BY_COMMAND_LINE });
      expect([real.changes, replaced]).toEqual([dry.changes, [real.catalog]]);
      expect(real.catalog).toMatchObject({ origin: { source: 'imported' }, rows: after });
    });
  });
});
