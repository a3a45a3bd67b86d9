import fc from 'fast-check';
import { readConstants, UNITS, type ConstantName, type Constants } from '../../bench/sizing/constants';
import { createLoadModel, type Demand } from '../../bench/sizing/load-model';
import { BURSTABLE, DATABASES, GENERAL, POSTGRESQL, cacheBytes } from '../../bench/sizing/machines';
import { sizeOf } from '../../bench/sizing/size';
import { createCatalogIndex } from '../../src/domain/catalog';
import { estimateCost } from '../../src/domain/cost-estimate';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const STORED = readConstants();
const demand = fc.record({
  eventsPerS: fc.double({ min: 0.1, max: 10_000, noNaN: true }),
  fanOut: fc.integer({ min: 1, max: 50 }),
  failing: fc.double({ min: 0, max: 1, noNaN: true }),
  firstAttempt: fc.constant('express' as const),
});
const { rows } = readBuiltInCatalog();
const index = createCatalogIndex(rows);

/** The stored constants, with made-up values for those that were not measured yet. */
function withAll(values: Partial<Record<ConstantName, number>>): Constants {
  const given = Object.entries(values).map(([name, value]) => [name, { value, source: 'made up' }]);
  return { ...STORED, constants: { ...STORED.constants, ...Object.fromEntries(given) } };
}
const MEASURED = withAll({
  ...{ 'idle.temporal': 0.02, 'delete.mongodb': 0.05, 'delete.rate': 20_000, 'primary.of-three': 1.5 },
  ...{ 'key.disk': 60, 'key.index': 90, 'memory.mongodb': 200, 'memory.temporal': 150 },
});

function costOf(of: Demand, constants: Constants): number {
  const result = estimateCost(index, sizeOf(of, constants).items);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.estimate.totalMonthlyUsd;
}

it.each([
  ['the stored constants', STORED],
  ['all constants', MEASURED],
])('prices whatever is asked for, and more events never cost less, with %s', (_name, constants) => {
  fc.assert(
    fc.property(demand, fc.double({ min: 1, max: 10, noNaN: true }), (of, factor) => {
      const more = costOf({ ...of, eventsPerS: of.eventsPerS * factor }, constants);
      expect(more).toBeGreaterThanOrEqual(costOf(of, constants));
    }),
  );
});

it('every part carries twice the load, and has a spare', () => {
  const vCpus: Record<string, number> = Object.fromEntries(
    [GENERAL, BURSTABLE, POSTGRESQL, ...DATABASES].map((machine) => [machine.name, machine.vCpus]),
  );
  fc.assert(
    fc.property(demand, (of) => {
      const model = createLoadModel(MEASURED);
      const { processes, parts } = sizeOf(of, MEASURED);
      const peak = { ...of, eventsPerS: of.eventsPerS * 2 };
      const [everpost] = parts;
      expect(model.everpost(peak, processes)).toBeLessThanOrEqual(
        everpost!.machines * vCpus[everpost!.instance]! * (1 + 1e-6),
      );
      const database = parts.find(({ name }) => name.startsWith('MongoDB'))!;
      const shards = database.machines / 3;
      expect(model.mongodbShard(peak, processes, shards, 3)).toBeLessThanOrEqual(
        vCpus[database.instance]! * database.size * (1 + 1e-6),
      );
      const { memoryGb } = DATABASES.find(({ name }) => name === database.instance)!;
      expect(database.indexGb! * 1e9).toBeLessThanOrEqual(cacheBytes({ memoryGb: memoryGb * database.size }));
      for (const { machines } of parts) expect(machines).toBeGreaterThanOrEqual(2);
    }),
  );
});

it('costs at a measured load what was measured there', () => {
  const model = createLoadModel(STORED);
  for (const { perSecond, everpost } of STORED.loads) {
    const load = { eventsPerS: perSecond, fanOut: 1, failing: 0, firstAttempt: 'express' as const };
    expect(model.everpost(load, 1)).toBeGreaterThanOrEqual((perSecond * everpost) / 1_000 - 1e-9);
  }
});

it('counts more work for MongoDB when the same events come from more processes', () => {
  const model = createLoadModel(STORED);
  const load = { eventsPerS: 1_000, fanOut: 1, failing: 0, firstAttempt: 'express' as const };
  expect(model.mongodbShard(load, 40, 1, 3)).toBeGreaterThan(model.mongodbShard(load, 4, 1, 3));
});

it('has no execution, and no byte in PostgreSQL, when no attempt fails in express', () => {
  const { executionsPerS, parts } = sizeOf({ eventsPerS: 100, fanOut: 3, failing: 0, firstAttempt: 'express' }, STORED);
  expect(executionsPerS).toBe(0);
  expect(parts.find(({ name }) => name.includes('PostgreSQL'))).toMatchObject({ cores: 0, diskGb: 0, machines: 2 });
});

it('counts an execution for each delivery of a process that makes few, with auto', () => {
  const executions = (eventsPerS: number): number =>
    sizeOf({ eventsPerS, fanOut: 1, failing: 0.1, firstAttempt: 'auto' }, STORED).executionsPerS;
  expect(executions(10)).toBe(10);
  expect(executions(1_000)).toBe(100);
});

it('names each wall with its symptom and what shows it, the nearest first', () => {
  for (const profile of ['ha', 'small'] as const) {
    const { walls } = sizeOf({ eventsPerS: 50, fanOut: 2, failing: 0.1, firstAttempt: 'auto' }, MEASURED, profile);
    expect(walls.length).toBeGreaterThanOrEqual(3);
    for (const { symptom, signal, remedy } of walls) {
      for (const text of [symptom, signal, remedy]) expect(text).not.toBe('');
    }
    const rates = walls.map(({ eventsPerS }) => eventsPerS);
    expect(rates).toEqual([...rates].sort((one, other) => one - other));
  }
});

it('has a measured value, or the command that will measure it, for every constant', () => {
  expect(Object.keys(STORED.constants).sort()).toEqual(Object.keys(UNITS).sort());
  for (const { value, source } of [
    ...Object.values(STORED.constants),
    ...STORED.loads.map((load) => ({ ...load, value: 1 })),
  ]) {
    expect(value === null || value >= 0).toBe(true);
    expect(source).toMatch(/`npm run bench|\]\(performance\.md/);
  }
});

it('compares machines by the prices of the catalog', () => {
  for (const { name, usdPerHour } of [GENERAL, BURSTABLE, POSTGRESQL, ...DATABASES]) {
    expect([
      name,
      Number(rows.find(({ provider, instance }) => provider === 'aws' && instance === name)?.priceUsd),
    ]).toEqual([name, usdPerHour]);
  }
});
