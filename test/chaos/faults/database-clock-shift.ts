import { fakedClock, findFaketime, NO_FAKETIME } from '../cluster/faked-clock';
import { kill, type Kill } from '../cluster/kill';
import { type Checks, createChecks, type Fault, quickIn, skipped } from '../fault';
import type { Testbed } from '../testbed';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { pass } from '../waiting';

/** An hour ahead; set right, which leaves cluster time an hour ahead; full: an hour behind that, and set right again. */
const SHIFTS = { quick: ['+1h', '0'], full: ['+1h', '0', '-1h', '0'] } as const;
const HOUR_MS = 3_600_000;
const OFF_BY_MS = { '+1h': HOUR_MS, '0': 0, '-1h': -HOUR_MS } as const;
const LOAD_MS = 2_000;

export const databaseClockShift: Fault = {
  name: 'database-clock-shift',
  title:
    'the clocks of all mongods are an hour ahead, then right again (full: then an hour behind, then right); each time all APIs and workers are killed in load (faketime)',
  criterion:
    '0 acknowledged events lost, all delivered within two minutes; repeated POSTs ≤ attempts in flight at the kills',
  ways: quickIn('workflow'),
  nightly: "test/breakage/cluster-time shifts MongoDB's clock",
  async run(testbed, counts) {
    const library = findFaketime();
    if (library === undefined) return skipped(NO_FAKETIME);
    const checks = createChecks();
    const { replicaSet } = testbed.cluster;
    try {
      for (const [step, shift] of SHIFTS[counts.profile].entries()) {
        await replicaSet.restartWith(shift === '0' ? {} : fakedClock(library, shift));
        checks.hold(await isShifted(testbed, OFF_BY_MS[shift]), `the clocks of the mongods are not off by ${shift}`);
        await killInLoad(testbed, checks, { perSecond: counts.perSecond, name: `step ${step + 1}, ${shift}` });
      }
    } finally {
      await replicaSet.restartWith({});
    }
    return checks.outcome();
  },
};

async function isShifted({ cluster }: Testbed, byMs: number): Promise<boolean> {
  const { localTime } = (await cluster.mongo.db.command({ hello: 1 })) as { localTime: Date };
  return Math.abs(localTime.getTime() - Date.now() - byMs) < 60_000;
}

/** Claims of the dead process, and events that it accepted and did not start, must be found with the current clock. */
async function killInLoad(
  testbed: Testbed,
  checks: Checks,
  { perSecond, name }: { perSecond: number; name: string },
): Promise<void> {
  const { apis, workers } = testbed.cluster;
  const all = [...apis, ...workers];
  const tenant = await testbed.open('database-clock', { endpoints: [{ delayMs: 300 }, { delayMs: 300 }] });
  const load = await tenant.load(perSecond);
  await pass(LOAD_MS);
  const kills: Kill[] = [await kill(testbed.cluster, all)];
  await Promise.all(all.map((role) => role.start()));
  await load.stop();
  const verdict = await tenant.settle();
  const own = createChecks();
  holdNothingLost(own, verdict);
  holdAllDelivered(own, verdict);
  holdRepeatsInFlight(own, verdict, tenant, kills);
  const { figures, failures } = own.outcome();
  for (const [figure, value] of Object.entries(figures)) checks.figure(`${name}: ${figure}`, value);
  for (const failure of failures) checks.hold(false, `${name}: ${failure}`);
}
