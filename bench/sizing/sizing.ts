import { parseArgs } from 'node:util';
import { createCatalogIndex } from '../../src/domain/catalog';
import { estimateCost } from '../../src/domain/cost-estimate';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';
import { publish } from '../page';
import { rounded } from '../statistics';
import { COSTS, type Cost } from './costs';
import { sizeOf, type Demand, type Sizing } from './size';

const USAGE = 'npm run sizing -- --events-per-s <number> [--fan-out <number>] [--failing <share, 0 to 1>] [--json]';
/** The rates of the page's table. */
const RATES = [10, 100, 1_000, 10_000];

/** Prints what an installation needs for a demand, and what it costs a month. `--page` writes a table for several rates. */
function main(): void {
  const { values } = parseArgs({
    options: {
      'events-per-s': { type: 'string' },
      'fan-out': { type: 'string', default: '1' },
      failing: { type: 'string', default: '0.02' },
      json: { type: 'boolean', default: false },
      page: { type: 'string' },
    },
  });
  const [fanOut, failing] = [Number(values['fan-out']), Number(values.failing)];
  const rates = values.page === undefined ? [Number(values['events-per-s'])] : RATES;
  const isValid = rates.every((rate) => rate > 0 && rate <= 1_000_000) && fanOut > 0 && failing >= 0 && failing <= 1;
  if (!isValid) throw new Error(`Usage: ${USAGE}`);
  const sized = rates.map((eventsPerS) => priced({ eventsPerS, fanOut, failing }));
  if (values.json) process.stdout.write(`${JSON.stringify({ ...sized[0], constants: COSTS })}\n`);
  else publish('sizing', [...sized.map(tableOf), constantsTable()].join('\n\n'));
}

interface Priced extends Sizing {
  readonly demand: Demand;
  readonly monthlyUsd: number;
  /** Of it. */
  readonly egressUsd: number;
}

function priced(demand: Demand): Priced {
  const sizing = sizeOf(demand);
  const result = estimateCost(createCatalogIndex(readBuiltInCatalog().rows), sizing.items);
  if (!result.ok) throw new Error(result.problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  const { totalMonthlyUsd, breakdown } = result.estimate;
  return { demand, ...sizing, monthlyUsd: totalMonthlyUsd, egressUsd: breakdown.at(-1)!.monthlyUsd };
}

function tableOf({
  demand,
  deliveriesPerS,
  executionsPerS,
  parts,
  walls,
  monthlyUsd,
  egressUsd,
  ...rest
}: Priced): string {
  const { eventsPerS, fanOut, failing } = demand;
  return [
    `**${number(eventsPerS)} events/s**, each to ${fanOut === 1 ? '1 endpoint' : `${number(fanOut)} endpoints`}, ${rounded(failing * 100)} % of the first attempts fail: ` +
      `${number(deliveriesPerS)} deliveries/s, ${number(executionsPerS)} executions/s.`,
    '',
    '| Part | Busy cores | Machines | Disk of each, GB |',
    '| --- | --- | --- | --- |',
    ...parts.map(
      ({ name, cores, machines, instance, diskGb }) =>
        `| ${name} | ${rounded(cores, 2)} | ${machines} × ${instance} | ${diskGb === 0 ? '' : number(diskGb)} |`,
    ),
    '',
    `$${number(monthlyUsd)} a month by the estimator's AWS prices, of which $${number(egressUsd)} are for ` +
      `${number(rest.egressGbPerMonth)} GB of egress. Limits: ` +
      `${walls.map(({ name, eventsPerS: at, remedy }) => `${name} at ${number(at)} events/s (${remedy})`).join('; ')}.`,
  ].join('\n');
}

function constantsTable(): string {
  const rows = Object.entries(COSTS).flatMap(([name, cost]) =>
    'source' in cost
      ? [[name, cost] as const]
      : Object.entries(cost).map(([part, of]) => [`${name}, ${part}`, of] as const),
  );
  return [
    '| Constant | Value | Measured by |',
    '| --- | --- | --- |',
    ...rows
      .filter(([, { value }]) => value > 0)
      .map(([name, { value, unit, source }]: readonly [string, Cost]) => `| ${name} | ${value} ${unit} | ${source} |`),
  ].join('\n');
}

function number(value: number): string {
  return rounded(value, value < 10 ? 2 : 0).toLocaleString('en');
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
