import { parseArgs } from 'node:util';
import { createCatalogIndex } from '../../src/domain/catalog';
import { estimateCost } from '../../src/domain/cost-estimate';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';
import { publish } from '../page';
import { readConstants, type Constants } from './constants';
import type { Demand } from './load-model';
import { HEADROOM } from './machines';
import { constantsTable, loadsTable, sizedText, wallsTable, type Priced } from './page-text';
import { placesTable, readPlaces } from './places';
import { PROFILES, sizeOf, type Profile } from './size';

const USAGE =
  'npm run sizing -- --events-per-s <number> [--fan-out <number>] [--failing <share, 0 to 1>] ' +
  '[--first-attempt auto|express] [--profile ha|small] [--json]';
/** The rates of the page. */
const RATES = [10, 100, 1_000, 10_000];
/** The second is what `bench:small` holds for ten minutes. */
const SMALL_RATES = [10, 50];

/** What each profile's settings say. */
const FIRST_ATTEMPTS: Readonly<Record<Profile, Demand['firstAttempt']>> = { ha: 'auto', small: 'express' };

type DemandAt = (eventsPerS: number, profile: Profile) => Demand;

/** Prints what an installation needs for a demand, and what it costs a month. `--page` writes several rates and all constants. */
function main(): void {
  const { values } = parseArgs({
    options: {
      'events-per-s': { type: 'string' },
      'fan-out': { type: 'string', default: '1' },
      failing: { type: 'string', default: '0.02' },
      'first-attempt': { type: 'string' },
      profile: { type: 'string', default: 'ha' },
      json: { type: 'boolean', default: false },
      page: { type: 'string' },
    },
  });
  const [fanOut, failing] = [Number(values['fan-out']), Number(values.failing)];
  const { 'first-attempt': asked } = values;
  const firstAttempt = (['auto', 'express'] as const).find((mode) => mode === asked);
  const profile = PROFILES.find((name) => name === values.profile);
  const rates = values.page === undefined ? [Number(values['events-per-s'])] : RATES;
  const isValid = rates.every((rate) => rate > 0 && rate <= 1_000_000) && fanOut > 0 && failing >= 0 && failing <= 1;
  if (!isValid || firstAttempt !== asked || profile === undefined) throw new Error(`Usage: ${USAGE}`);
  const constants = readConstants();
  const demandAt: DemandAt = (eventsPerS, ofProfile) => {
    return { eventsPerS, fanOut, failing, firstAttempt: firstAttempt ?? FIRST_ATTEMPTS[ofProfile] };
  };
  if (values.page !== undefined) {
    publish('sizing', pageOf(rates, demandAt, constants));
    publish('places', placesTable(readPlaces()));
    return;
  }
  const sized = priced(demandAt(rates[0]!, profile), constants, profile);
  if (values.json) process.stdout.write(`${JSON.stringify({ ...sized, constants })}\n`);
  else process.stdout.write(`${[sizedText(sized), wallsTable(sized)].join('\n\n')}\n`);
}

function pageOf(rates: readonly number[], demandAt: DemandAt, constants: Constants): string {
  const large = rates.map((rate) => priced(demandAt(rate, 'ha'), constants, 'ha'));
  // Where one process is enough for twice the load.
  const small = SMALL_RATES.map((rate) => priced(demandAt(rate, 'small'), constants, 'small')).filter(
    ({ demand, walls }) => walls.every(({ eventsPerS }) => eventsPerS >= demand.eventsPerS * HEADROOM),
  );
  return [
    '### One machine: `--profile small`',
    ...small.map(sizedText),
    wallsTable(small[0]!),
    '### Many machines: `--profile ha`',
    ...large.map(sizedText),
    wallsTable(large.at(-1)!),
    '### The constants',
    loadsTable(constants),
    constantsTable(constants),
  ].join('\n\n');
}

function priced(demand: Demand, constants: Constants, profile: Profile): Priced {
  const sizing = sizeOf(demand, constants, profile);
  const result = estimateCost(createCatalogIndex(readBuiltInCatalog().rows), sizing.items);
  if (!result.ok) throw new Error(result.problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  const { totalMonthlyUsd, breakdown } = result.estimate;
  return { demand, profile, ...sizing, monthlyUsd: totalMonthlyUsd, egressUsd: breakdown.at(-1)!.monthlyUsd };
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
