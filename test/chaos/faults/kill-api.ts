import { createChecks, type Fault } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { pass } from '../waiting';

/** Between a kill and the next: two APIs are never away at once, as behind a load balancer. */
const BETWEEN_MS = 700;

export const killApi: Fault = {
  name: 'kill-api',
  title: 'kill -9 of an API in load',
  criterion:
    "0 acknowledged events lost; a client's retry with the same key gets the same id, no second event; no POST twice",
  limitSeconds: { quick: 300, full: 600 },
  async run(stage, counts) {
    const checks = createChecks();
    const scene = await stage.open('kill-api');
    const load = await scene.load(counts.perSecond);
    for (let kill = 0; kill < counts.apiKills; kill += 1) {
      await pass(BETWEEN_MS);
      const api = stage.cluster.apis[kill % 2]!;
      await api.kill();
      await pass(BETWEEN_MS);
      await api.start();
    }
    const { gaveUp } = await load.stop();
    const verdict = await scene.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdNoRepeats(checks, verdict);
    checks.figure('kills', counts.apiKills);
    const broken = scene.ledger().lines.filter(({ status }) => status === 0).length;
    const repeats = scene.ledger().lines.filter(({ duplicate }) => duplicate === true).length;
    checks.figure('connections broken', broken);
    checks.figure('retries answered with the first id', repeats);
    checks.hold(gaveUp === 0, `${gaveUp} events were not acknowledged in three minutes of retries`);
    return checks.outcome();
  },
};
