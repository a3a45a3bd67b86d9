import { randomInt } from 'node:crypto';
import { kill, type Kill } from '../cluster/kill';
import { alwaysIn, createChecks, type Checks, type Fault } from '../fault';
import type { Tenant } from '../tenant';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { pass } from '../waiting';

/** The longest time between a start and the next kill. */
const BETWEEN_MS = 1_000;
/** A first request later than this after a kill was sent by another process: the killed one died before the POST. */
const SOON_MS = 5_000;

export const killInFirstAttempt: Fault = {
  name: 'kill-in-first-attempt',
  title:
    'kill -9 of an API (by workflow: API and worker in one process), or of both, at random moments in load, while they make first attempts',
  criterion:
    '0 acknowledged events lost, all delivered; repeated POSTs ≤ attempts in flight at the kills; a crash costs none of the 8 attempts',
  ways: alwaysIn('workflow', 'express'),
  async run(testbed, counts) {
    const { apis } = testbed.cluster;
    const [first, second] = apis;
    const checks = createChecks();
    const role = testbed.way === 'workflow' ? 'all' : 'api';
    await Promise.all(apis.map((api) => api.restart({ role })));
    // One has POSTs under way at every moment, and one is all about what is before and after them.
    const tenant = await testbed.open('kill-in-first-attempt', { endpoints: [{ delayMs: 300 }, { delayMs: 0 }] });
    // A process with a worker takes seconds to start, and an execution costs ten times as much as an attempt.
    const load = await tenant.load(counts.perSecond * (testbed.way === 'workflow' ? 0.5 : 2));
    const kills: Kill[] = [];
    for (let count = 0; count < counts.firstAttemptKills; count += 1) {
      await pass(randomInt(BETWEEN_MS));
      const killed = [[first], [second], [first, second]][count % 3]!;
      kills.push(await kill(testbed.cluster, killed));
      await Promise.all(killed.map((api) => api.start({ role })));
    }
    const { gaveUp } = await load.stop();
    // Claims of the dead outlast the time-out by ten seconds; then the sweeper has those attempts made.
    const verdict = await tenant.settle();
    await Promise.all(apis.map((api) => api.restart()));
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdRepeatsInFlight(checks, verdict, tenant, kills);
    checks.hold(gaveUp === 0, `${gaveUp} events were not acknowledged in three minutes of retries`);
    countMoments(checks, tenant, kills);
    return checks.outcome();
  },
};

/** Reports at which moments the kills hit the deliveries that the dead process had promised to send. */
function countMoments(checks: Checks, tenant: Tenant, kills: readonly Kill[]): void {
  const pathOf = new Map(tenant.endpoints.map(({ id, path }) => [id, path]));
  const received = tenant.received();
  const moments = { 'before the POST': 0, 'in the POST': 0, 'before the record': 0 };
  const seen = new Set<string>();
  for (const { to, claimed } of kills) {
    for (const { eventId, endpointId, claim, promised } of claimed) {
      if (!promised || seen.has(claim)) continue;
      seen.add(claim);
      const requests = received.filter(({ id, path }) => id === eventId && path === pathOf.get(endpointId));
      const [first] = requests.sort((a, b) => a.at - b.at);
      if (first && first.at > to + SOON_MS) moments['before the POST'] += 1;
      else if (requests.length > 1) moments[first!.status === undefined ? 'in the POST' : 'before the record'] += 1;
    }
  }
  for (const [moment, count] of Object.entries(moments)) checks.figure(`killed ${moment}`, count);
  const caught = Object.values(moments).some((count) => count > 0);
  checks.hold(caught, 'no kill caught a delivery on its way, so nothing was shown');
}
