import { claimedAttempts } from '../cluster/claimed-attempts';
import { createChecks, type Fault } from '../fault';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight, type Kill } from '../verdict-checks';
import { pass } from '../waiting';

const BETWEEN_MS = 1_000;

export const killWorker: Fault = {
  name: 'kill-worker',
  title: 'kill -9 of a worker in load',
  criterion: 'all delivered; repeated POSTs ≤ attempts in flight at the kills; a crash costs none of the 8 attempts',
  limitSeconds: { quick: 300, full: 600 },
  async run(stage, counts) {
    const checks = createChecks();
    const scene = await stage.open('kill-worker');
    const load = await scene.load(counts.perSecond);
    const kills: Kill[] = [];
    for (let kill = 0; kill < counts.workerKills; kill += 1) {
      await pass(BETWEEN_MS);
      const worker = stage.cluster.workers[kill % 2]!;
      const from = Date.now();
      await worker.kill();
      kills.push({ from, to: Date.now(), claimed: await claimedAttempts(stage.cluster.mongo) });
      await pass(BETWEEN_MS);
      await worker.start();
    }
    await load.stop();
    // A claim of the dead worker outlasts the time-out by ten seconds; then its attempt is made again.
    const verdict = await scene.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdRepeatsInFlight(checks, verdict, scene, kills);
    return checks.outcome();
  },
};
