import { kill, type Kill } from '../cluster/kill';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import type { Tenant, TenantEndpoint } from '../tenant';
import type { Testbed } from '../testbed';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { pass } from '../waiting';

const KILLS = { quick: 2, full: 6 };
const BETWEEN_MS = 1_000;
const OTHERS = 40;
/** An ordered endpoint waits for the claims of the dead, and then for each of its deliveries. */
const PATIENCE_MS = 240_000;

export const killAtGates: Fault = {
  name: 'kill-at-gates',
  title: 'kill -9 of an API and a worker in load, while deliveries wait for an ordered, a rated and a paused endpoint',
  criterion:
    'all delivered, one after the other to the ordered endpoint, none to the paused one; repeated POSTs ≤ attempts in flight at the kills',
  ways: quickIn('express'),
  async run(testbed, counts) {
    const { apis, workers } = testbed.cluster;
    const checks = createChecks();
    const tenant = await testbed.open('kill-at-gates', {
      endpoints: Array.from({ length: 3 }, () => ({ delayMs: 20 })),
    });
    const [ordered, rated, paused] = tenant.endpoints as [TenantEndpoint, TenantEndpoint, TenantEndpoint];
    await holdForOthers(testbed);
    const perSecond = counts.perSecond / 2;
    await tenant.api.insist('PATCH', `/endpoints/${ordered.id}`, { options: { ordered: true } });
    await tenant.api.insist('PATCH', `/endpoints/${rated.id}`, { options: { max_per_second: perSecond } });
    await tenant.api.insist('POST', `/endpoints/${paused.id}/pause`);
    const load = await tenant.load(perSecond);
    const kills: Kill[] = [];
    for (let count = 0; count < KILLS[counts.profile]; count += 1) {
      await pass(BETWEEN_MS);
      const roles = [apis[count % 2]!, workers[count % 2]!];
      kills.push(await kill(testbed.cluster, roles));
      await Promise.all(roles.map((role) => role.start()));
    }
    await load.stop();
    const early = tenant.received().filter(({ path }) => path === paused.path).length;
    checks.hold(early === 0, `${early} requests came to the paused endpoint`);
    await tenant.api.insist('POST', `/endpoints/${paused.id}/resume`);
    const verdict = await tenant.settle(PATIENCE_MS);
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdRepeatsInFlight(checks, verdict, tenant, kills);
    holdOrder(checks, tenant, ordered);
    return checks.outcome();
  },
};

/** An event of another account waits for all of its endpoints, before and after the kills. */
async function holdForOthers(testbed: Testbed): Promise<void> {
  const others = await testbed.open('others-at-gates', { endpoints: Array.from({ length: OTHERS }, () => ({})) });
  for (const { id } of others.endpoints) await others.api.insist('POST', `/endpoints/${id}/pause`);
  await others.api.insist('POST', '/events', { type: 'order.created', data: {} });
}

/** None is delivered after one that was sent when it was acknowledged already. */
function holdOrder(checks: Checks, tenant: Tenant, { path }: TenantEndpoint): void {
  const { lines, acknowledged } = tenant.ledger();
  const sentAt = new Map<number, number>();
  for (const { serial, sentAt: at } of lines) sentAt.set(serial, Math.min(at, sentAt.get(serial) ?? at));
  const known = new Map(acknowledged.map(({ id, serial, at }) => [id, { at, sentAt: sentAt.get(serial)! }]));
  const delivered = tenant.received().filter((it) => it.path === path && it.status === 200 && known.has(it.id));
  const ids = new Set(delivered.sort((one, other) => one.at - other.at).map(({ id }) => id));
  let latest = 0;
  const late = [...ids].filter((id) => {
    const { at, sentAt: from } = known.get(id)!;
    const isLate = at < latest;
    latest = Math.max(latest, from);
    return isLate;
  });
  checks.figure('out of order', late.length);
  checks.hold(late.length === 0, `${late.length} came after one that was sent when they were acknowledged`);
}
