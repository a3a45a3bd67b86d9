import { createCatalogIndex, PROVIDERS, type CatalogEntry, type PricedEntry } from '../../src/domain/catalog';
import type { ComparableGroup } from '../../src/domain/comparable-group';
import { comparableGroupOf, comparableWith, COMPARABLE_GROUPS, marketOf } from '../../src/domain/comparable-offers';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const entries: readonly CatalogEntry[] = readBuiltInCatalog().rows;
const index = createCatalogIndex(entries);
const nameOf = ({ service, instance }: CatalogEntry): string => `${service} / ${instance}`;
const pricedOf = ({ provider, service, instance }: CatalogEntry): PricedEntry =>
  index.findService(provider, service)!.find(instance)!;
const everyEntry = entries.map((entry) => [`${entry.provider} / ${nameOf(entry)}`, entry] as const);

/** Every two entries that are compared by default or by choice, with their group; parts of a whole one by one. */
const pairs = entries.flatMap((entry) =>
  PROVIDERS.filter((provider) => provider !== entry.provider).flatMap((provider) =>
    comparableWith(index, pricedOf(entry), provider).offers.map(({ parts }) => ({
      entry,
      parts,
      group: comparableGroupOf(pricedOf(entry))!,
    })),
  ),
);

const textOf = ({ service, instance, specs }: CatalogEntry): string => `${service} ${instance} ${specs}`;

/** What the texts of two comparable entries must agree about, if either of them says anything of it. */
const PROPERTIES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a standby or a replica', /multi-az|with replica|primary and replica/i],
  ['an Arm processor', /(?<!or )\barm\b|graviton|ampere|axion/i],
  ['a GPU', /nvidia \w+/i],
  ['vCPUs that burst or are shared', /burstable|shared|db\.t\d|\bB\d/],
  ['copies in one zone', /\bLRS\b|locally redundant/i],
  ['one kind of token', /\binput\b/i],
  ['the other kind of token', /\boutput\b/i],
  ['Windows', /windows/i],
  ['a time of keeping', /retention|interactive/i],
];

describe('the groups of comparable entries', () => {
  it('hold every entry of the built-in catalog once, and no other', () => {
    const listed = COMPARABLE_GROUPS.flatMap((group) =>
      PROVIDERS.flatMap((provider) =>
        (group[provider] ?? []).filter((offer) => typeof offer === 'string').map((offer) => `${provider} / ${offer}`),
      ),
    );
    expect([...listed].sort()).toEqual(everyEntry.map(([name]) => name).sort());
  });

  it('say why for each provider that has nothing comparable', () => {
    for (const group of COMPARABLE_GROUPS) {
      const absent = PROVIDERS.filter((provider) => !group[provider]);
      expect([group.what, group.none !== undefined]).toEqual([group.what, absent.length > 0]);
      expect(group.what).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  it('offer every member to every other provider: no judgement contradicts the catalog', () => {
    for (const [, entry] of everyEntry) {
      const group = comparableGroupOf(pricedOf(entry))!;
      for (const provider of PROVIDERS.filter((it) => it !== entry.provider)) {
        const { offers, reason } = comparableWith(index, pricedOf(entry), provider);
        expect([nameOf(entry), provider, offers.length]).toEqual([
          nameOf(entry),
          provider,
          group[provider]?.length ?? 0,
        ]);
        expect(reason).toBe(offers.length > 0 ? `${group.what}.` : `No equivalent: ${group.none}.`);
      }
    }
  });

  it('state the size of every machine and server, so that the catalog is held to it', () => {
    const sized = pairs.filter(({ entry }) => ['compute', 'database', 'cache'].includes(entry.category));
    expect(sized.length).toBeGreaterThan(20);
    for (const { entry, group } of sized)
      expect([nameOf(entry), group.size !== undefined]).toEqual([nameOf(entry), true]);
  });
});

describe('two comparable entries', () => {
  it('agree about every property that the text of either states', () => {
    const contradictions = pairs.flatMap(({ entry, parts }) =>
      parts.flatMap(({ priced: { entry: other } }) =>
        PROPERTIES.filter(
          ([, pattern]) => (pattern.exec(textOf(entry)) === null) !== (pattern.exec(textOf(other)) === null),
        ).map(([name]) => `${nameOf(entry)} and ${nameOf(other)}: ${name}`),
      ),
    );
    expect(contradictions).toEqual([]);
  });

  it('have prices for the same part of the world, by the same measure', () => {
    for (const { entry, parts } of pairs) {
      for (const { priced } of parts) {
        const markets = [marketOf(entry.region), marketOf(priced.entry.region)].filter((market) => market !== 'global');
        expect([nameOf(entry), nameOf(priced.entry), new Set(markets).size <= 1]).toEqual([
          nameOf(entry),
          nameOf(priced.entry),
          true,
        ]);
        const { usage, blockSize } = pricedOf(entry).form;
        expect([priced.form.usage, priced.form.blockSize]).toEqual([usage, blockSize]);
      }
    }
  });

  it('have the same engine, where it is a database or a cache', () => {
    const enginesIn = (text: string): string[] =>
      ['MySQL', 'PostgreSQL', 'Redis'].filter((name) => text.includes(name));
    const differing = pairs
      .filter(({ entry: { category } }) => /database|cache/.test(category))
      .flatMap(({ entry, parts, group }) =>
        [entry, ...parts.map(({ priced }) => priced.entry)]
          .filter((each) => !enginesIn(textOf(each)).includes(enginesIn(group.what)[0] ?? 'none'))
          .map((each) => `${nameOf(each)} is not ${group.what}`),
      );
    expect(differing).toEqual([]);
  });

  it('need fees beside them that are comparable too', () => {
    const withFees = COMPARABLE_GROUPS.filter(({ needs }) => needs);
    expect(withFees.length).toBeGreaterThan(0);
    for (const { needs, ...group } of withFees) {
      const members = PROVIDERS.filter((provider) => group[provider]);
      expect(Object.keys(needs!).sort()).toEqual(members.toSorted());
      const fees = Object.entries(needs!).map(([provider, fee]) =>
        COMPARABLE_GROUPS.find((other) => other[provider as keyof ComparableGroup as 'aws']?.includes(fee)),
      );
      expect(new Set(fees).size).toBe(1);
      expect(fees[0]).toBeDefined();
    }
  });
});

describe("an operator's catalog", () => {
  const medium = entries.find(({ instance }) => instance === 't3.medium')!;
  const offersIn = (change: (entry: CatalogEntry) => CatalogEntry, name = 't3.medium') => {
    const changed = createCatalogIndex(entries.map(change));
    const priced = changed.findService('aws', 'EC2')!.find(name)!;
    return comparableWith(changed, priced, 'azure');
  };
  const changing = (instance: string, change: Partial<CatalogEntry>) => (entry: CatalogEntry) =>
    entry.instance === instance ? { ...entry, ...change } : entry;

  it('is compared as long as it says the same', () => {
    expect(offersIn(changing('B2s', { priceUsd: 9, region: 'westus' })).offers).toHaveLength(1);
  });

  it.each([
    ['another size', changing('B2s', { specs: '4 vCPU, 16 GiB, burstable x86, Linux' })],
    ['no size', changing('t3.medium', { specs: 'burstable' })],
    ['another unit', changing('B2s', { priceUnit: 'per month' })],
    ['another part of the world', changing('B2s', { region: 'westeurope' })],
    ['no such entry', changing('B2s', { instance: 'B2ms' })],
  ])('with %s is compared with nothing', (_, change) => {
    const { offers, reason } = offersIn(change);
    expect(offers).toEqual([]);
    expect(reason).toMatch(/^No equivalent: the catalog in use/);
  });

  it('has entries that were not judged', () => {
    const own = createCatalogIndex([...entries, { ...medium, instance: 'x9.mine' }]);
    const { offers, reason } = comparableWith(own, own.findService('aws', 'EC2')!.find('x9.mine')!, 'gcp');
    expect(offers).toEqual([]);
    expect(reason).toContain('this entry is not built in and has not been judged');
  });
});
