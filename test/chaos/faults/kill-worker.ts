import { kill, type Kill } from '../cluster/kill';
import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { pass } from '../waiting';

const BETWEEN_MS = 1_000;

export const killWorker: Fault = {
  name: 'kill-worker',
  title: 'kill -9 of a worker in load',
  criterion: 'all delivered; repeated POSTs ≤ attempts in flight at the kills; a crash costs none of the 8 attempts',
  ways: quickIn('workflow'),
  nightly: 'kill-in-first-attempt and kill-at-gates kill workers in load too',
  async run(testbed, counts) {
    const checks = createChecks();
    const tenant = await testbed.open('kill-worker');
    const load = await tenant.load(counts.perSecond);
    const kills: Kill[] = [];
    for (let count = 0; count < counts.workerKills; count += 1) {
      await pass(BETWEEN_MS);
      const worker = testbed.cluster.workers[count % 2]!;
      kills.push(await kill(testbed.cluster, [worker]));
      await pass(BETWEEN_MS);
      await worker.start();
    }
    await load.stop();
    // A claim of the dead worker outlasts the time-out by ten seconds; then its attempt is made again.
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdRepeatsInFlight(checks, verdict, tenant, kills);
    return checks.outcome();
  },
};
