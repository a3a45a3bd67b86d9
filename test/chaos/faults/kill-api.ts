import { kill, type Kill } from '../cluster/kill';
import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { pass } from '../waiting';

/** Between a kill and the next: two APIs are never away at once, as behind a load balancer. */
const BETWEEN_MS = 700;

export const killApi: Fault = {
  name: 'kill-api',
  title: 'kill -9 of an API in load',
  criterion:
    "0 acknowledged events lost; a client's retry with the same key gets the same id, no second event; no POST twice, but (express) of attempts in flight at the kills",
  ways: quickIn('workflow'),
  nightly: 'kill-in-first-attempt and kill-at-gates kill APIs in load too',
  async run(testbed, counts) {
    const checks = createChecks();
    const tenant = await testbed.open('kill-api');
    const load = await tenant.load(counts.perSecond);
    const kills: Kill[] = [];
    for (let count = 0; count < counts.apiKills; count += 1) {
      await pass(BETWEEN_MS);
      const api = testbed.cluster.apis[count % 2]!;
      kills.push(await kill(testbed.cluster, [api]));
      await pass(BETWEEN_MS);
      await api.start();
    }
    const { gaveUp } = await load.stop();
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    if (testbed.way === 'express') holdRepeatsInFlight(checks, verdict, tenant, kills);
    else holdNoRepeats(checks, verdict);
    checks.figure('kills', kills.length);
    const broken = tenant.ledger().lines.filter(({ status }) => status === 0).length;
    const repeats = tenant.ledger().lines.filter(({ duplicate }) => duplicate === true).length;
    checks.figure('connections broken', broken);
    checks.figure('retries answered with the first id', repeats);
    checks.hold(gaveUp === 0, `${gaveUp} events were not acknowledged in three minutes of retries`);
    return checks.outcome();
  },
};
