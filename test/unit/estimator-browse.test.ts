import fc from 'fast-check';
import { filterCatalog, NO_FILTER } from '../../dashboard/src/estimator/catalog-filter';
import { bySize, sizeOf } from '../../dashboard/src/estimator/catalog-order';
import { sortCatalog } from '../../dashboard/src/estimator/catalog-sort';
import { PURPOSES } from '../../dashboard/src/estimator/catalog-synonyms';
import type { CatalogEntry } from '../../src/domain/catalog';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const entries: readonly CatalogEntry[] = readBuiltInCatalog().rows;
const found = (words: string) => filterCatalog(entries, { ...NO_FILTER, words });
const servicesFor = (words: string) => [
  ...new Set(found(words).entries.map(({ provider, service }) => `${provider} ${service}`)),
];
const instancesOf = (provider: string, service: string) =>
  bySize(entries.filter((entry) => entry.provider === provider && entry.service === service)).map(
    ({ instance }) => instance,
  );

/** A machine of an operator's own catalog. */
function machine(instance: string, vcpus: number, gib: number, priceUsd = 1): CatalogEntry {
  const specs = `${vcpus} vCPU, ${gib} GiB, Linux`;
  const price = { priceUnit: 'per hour', priceUsd, region: 'x' };
  return { provider: 'aws', category: 'compute', service: 'EC2', instance, specs, ...price };
}

describe('the search', () => {
  it('finds entries that contain every word, in any field', () => {
    const { entries: matches, otherNames } = found('  google   8 GIB ');
    expect(matches.length).toBeGreaterThan(0);
    expect(matches.every(({ provider, specs }) => provider === 'gcp' && specs.includes('8 GiB'))).toBe(true);
    expect(otherNames).toBe(0);
    expect(filterCatalog(entries, { words: '', provider: 'azure', category: 'cdn' }).entries).toHaveLength(4);
  });

  it.each([
    ['kafka', ['aws Kinesis Data Streams', 'azure Event Hubs', 'gcp Pub/Sub']],
    ['kafk', ['aws Kinesis Data Streams', 'azure Event Hubs', 'gcp Pub/Sub']],
    ['kubernetes', ['aws EKS', 'azure AKS', 'gcp GKE', 'gcp GKE Autopilot']],
    ['K8s', ['aws EKS', 'azure AKS', 'gcp GKE', 'gcp GKE Autopilot']],
    ['Azure Kubernetes', ['azure AKS']],
    ['sqs', ['aws SQS', 'azure Service Bus', 'gcp Pub/Sub', 'gcp Cloud Tasks']],
    ['service bus', ['aws SQS', 'aws SNS', 'azure Service Bus', 'azure Event Grid', 'gcp Pub/Sub', 'gcp Cloud Tasks']],
    ['google queue', ['gcp Pub/Sub', 'gcp Cloud Tasks']],
    ['load balancer', ['aws Application Load Balancer', 'gcp Cloud Load Balancing']],
    ['nosql', ['aws DynamoDB', 'azure Cosmos DB', 'gcp Firestore']],
    ['buckets', ['aws S3', 'azure Blob Storage', 'gcp Cloud Storage']],
  ])('finds what each provider calls %j', (words, services) => {
    expect(servicesFor(words)).toEqual(services);
  });

  it.each(['pub/sub', 'Pub/Sub'])('finds the queues, topics and streams of other providers by %s', (words) => {
    const services = servicesFor(words);
    expect(services).toEqual(expect.arrayContaining(['aws SQS', 'aws SNS', 'azure Service Bus', 'azure Event Hubs']));
    expect(found(words).otherNames).toBeGreaterThan(0);
  });

  it('never finds less than the words alone do', () => {
    const words = entries.flatMap(({ service, specs }) => `${service} ${specs}`.toLowerCase().split(/[\s,]+/));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), (chosen) => {
        const matches = new Set(found(chosen.join(' ')).entries);
        for (const entry of entries) {
          const text = `${entry.service} ${entry.instance} ${entry.specs}`.toLowerCase();
          if (chosen.every((word) => text.includes(word))) expect(matches.has(entry)).toBe(true);
        }
      }),
    );
  });

  it('knows only services that the catalog has', () => {
    const known = new Set(entries.map(({ service }) => service.toLowerCase()));
    const unknown = PURPOSES.flatMap(({ services }) => services).filter((service) => !known.has(service));
    expect(unknown).toEqual([]);
  });
});

describe('the order of the catalog', () => {
  it('is that of sizes, whatever the order of the file', () => {
    const sizes = ['nano', 'micro', 'small', 'medium', 'large', 'xlarge', '2xlarge', '12xlarge'];
    const vcpus = [2, 2, 2, 2, 2, 4, 8, 48];
    const gib = [0.5, 1, 2, 4, 8, 16, 32, 192];
    const family = sizes.map((size, at) => machine(`t3.${size}`, vcpus[at]!, gib[at]!));
    fc.assert(
      fc.property(fc.shuffledSubarray(family, { minLength: family.length }), (shuffled) => {
        expect(bySize(shuffled)).toEqual(family);
      }),
    );
  });

  it.each([
    [
      'aws',
      'EC2',
      [
        't3.micro',
        't3.medium',
        't4g.medium',
        'm5.large',
        'm7i.large',
        'm7g.large',
        'r7g.large',
        'c7g.xlarge',
        'g6.xlarge',
      ],
    ],
    [
      'azure',
      'Virtual Machines',
      ['B1s', 'B2s', 'D2s_v5', 'D4s_v5', 'F8s_v2', 'D8s_v4', 'D8ps_v5', 'NC8as_T4_v3', 'E8s_v4'],
    ],
    [
      'gcp',
      'Compute Engine',
      [
        'e2-micro',
        'e2-medium',
        'e2-standard-2',
        't2d-standard-2',
        'c4a-standard-2',
        't2a-standard-2',
        'n2-standard-4',
        'c3-standard-4',
        'g2-standard-4',
      ],
    ],
    ['aws', 'ElastiCache for Redis', ['cache.t4g.micro', 'cache.m7g.large', 'cache.r7g.large', 'cache.r5.4xlarge']],
    ['azure', 'Managed Disks', ['P4 LRS', 'P10 LRS', 'Snapshot']],
    ['aws', 'S3', ['Standard', 'Standard-IA', 'Glacier Flexible Retrieval', 'Glacier Deep Archive', 'PUT requests']],
  ])('of %s %s is what a person expects', (provider, service, order) => {
    expect(instancesOf(provider, service)).toEqual(order);
  });

  it.each([
    ['2 vCPU, 8 GiB, general purpose x86, Linux', 'per hour', 'compute', { vcpus: 2, memoryGib: 8 }],
    ['2 shared vCPU, 1 GiB, Linux', 'per hour', 'compute', { vcpus: 2, memoryGib: 1 }],
    ['16 vCPU, 105.81 GiB, x86 memory optimized node', 'per hour', 'cache', { vcpus: 16, memoryGib: 105.81 }],
    ['6 GB, primary and replica', 'per hour', 'cache', { vcpus: undefined, memoryGib: 6 }],
    ['1 Aurora capacity unit (about 2 GiB), Standard', 'per hour', 'database', undefined],
    ['1 search unit, 15 GB', 'per hour', 'ai_ml', undefined],
    ['General-purpose pod vCPU', 'per vCPU-hour', 'containers', undefined],
  ] as const)('reads the size of %j', (specs, priceUnit, category, size) => {
    expect(sizeOf({ ...machine('x', 1, 1), specs, priceUnit, category })).toEqual(size);
  });

  it('keeps every entry once, by service and by price', () => {
    for (const sort of ['service', 'price'] as const) {
      for (const isDescending of [false, true]) {
        const sorted = sortCatalog(entries, sort, isDescending).flatMap((group) => group.entries);
        expect(new Set(sorted)).toEqual(new Set(entries));
        expect(sorted).toHaveLength(entries.length);
      }
    }
  });

  it.each(['vcpus', 'memoryGib'] as const)('by %s has only machines, from small to large and back', (field) => {
    const valuesOf = (isDescending: boolean) =>
      sortCatalog(entries, field === 'vcpus' ? 'vcpus' : 'memory', isDescending)
        .flatMap((group) => group.entries)
        .map((entry) => sizeOf(entry)![field]!);
    const up = valuesOf(false);
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    expect(valuesOf(true)).toEqual(up.toReversed());
    expect(up).toHaveLength(entries.filter((entry) => sizeOf(entry)?.[field] !== undefined).length);
    expect(up.length).toBeGreaterThan(30);
  });

  it('by price compares only prices of one unit', () => {
    for (const { heading, entries: group } of sortCatalog(entries, 'price', false)) {
      expect(group.every(({ priceUnit }) => priceUnit === heading)).toBe(true);
      const prices = group.map(({ priceUsd }) => priceUsd);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    }
  });
});
