import fc from 'fast-check';
import { sizeOf, type Demand } from '../../bench/sizing/size';
import { createCatalogIndex } from '../../src/domain/catalog';
import { estimateCost } from '../../src/domain/cost-estimate';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const demand = fc.record({
  eventsPerS: fc.double({ min: 0.1, max: 10_000, noNaN: true }),
  fanOut: fc.integer({ min: 1, max: 50 }),
  failing: fc.double({ min: 0, max: 1, noNaN: true }),
});
const index = createCatalogIndex(readBuiltInCatalog().rows);

function costOf(of: Demand): number {
  const result = estimateCost(index, sizeOf(of).items);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.estimate.totalMonthlyUsd;
}

it('prices whatever is asked for, and more events never cost less', () => {
  fc.assert(
    fc.property(demand, fc.double({ min: 1, max: 10, noNaN: true }), (of, factor) => {
      expect(costOf({ ...of, eventsPerS: of.eventsPerS * factor })).toBeGreaterThanOrEqual(costOf(of));
    }),
  );
});

it('keeps half of each core free, and every part has a spare', () => {
  const vCpus: Record<string, number> = { 'm7g.large': 2, 'c7g.xlarge': 4, 'db.t3.large': 2 };
  fc.assert(
    fc.property(demand, (of) => {
      for (const { name, cores, machines, instance } of sizeOf(of).parts) {
        // Each member of a replica set does the work of its shard.
        const sharing = name.startsWith('MongoDB') ? machines / 3 : machines;
        expect(cores / (sharing * vCpus[instance]!)).toBeLessThanOrEqual(0.5 + 1e-9);
        if (instance !== 'db.t3.large') expect(machines).toBeGreaterThanOrEqual(2);
      }
    }),
  );
});

it('has no execution, and no byte in PostgreSQL, when no attempt fails', () => {
  const { executionsPerS, parts } = sizeOf({ eventsPerS: 100, fanOut: 3, failing: 0 });
  expect(executionsPerS).toBe(0);
  expect(parts.find(({ name }) => name.includes('PostgreSQL'))).toMatchObject({ cores: 0, diskGb: 0, machines: 1 });
});

it('names a wall at the rate at which its machine is used up', () => {
  const at = { fanOut: 2, failing: 0.1 };
  for (const { name, eventsPerS } of sizeOf({ eventsPerS: 50, ...at }).walls) {
    const { parts } = sizeOf({ eventsPerS, ...at });
    const part = parts.find((one) => one.name.includes(name.includes('PostgreSQL') ? 'PostgreSQL' : 'MongoDB'))!;
    expect(part.cores).toBeCloseTo(name.startsWith('4') ? 4 : 2);
  }
});
