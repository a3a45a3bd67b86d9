import { withTemporal } from '../cluster/executions';
import type { RoleChanges } from '../cluster/role';
import type { Checks } from '../fault';
import type { Counts } from '../profile';
import type { Tenant } from '../tenant';
import type { Testbed } from '../testbed';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { inLanes, within } from '../waiting';
import type { Roll } from './rolled-back';

const WAIT_MS = 120_000;
const SETTLE_MS = 240_000;
const LANES = 8;
/** Sealed events wait after this many attempts, or before the first one. */
const REFUSED = 1;

/**
 * What a rollback can't do: events that this version stored sealed are not sent by the earlier one. They wait, cost no
 * attempt, and go on after the next upgrade. What the earlier version accepts meanwhile is delivered.
 */
export async function holdSealedWait(
  testbed: Testbed,
  counts: Counts,
  { checks, roll, earlier }: { readonly checks: Checks; readonly roll: Roll; readonly earlier: RoleChanges },
): Promise<void> {
  const named: Checks = { ...checks, figure: (name, value) => checks.figure(`sealed: ${name}`, value) };
  const tenant = await testbed.open('sealed', { endpoints: [{ failFirst: REFUSED, delayMs: 10 }] });
  await sendAndPause(tenant, counts);
  await roll(earlier);
  const before = tenant.received().length;
  const unfinished = tenant.ledger().acknowledged.length - delivered(tenant);
  named.figure('unfinished when rolled back', unfinished);
  checks.hold(unfinished > 0, 'nothing that is sealed was unfinished when it was rolled back');

  await tenant.api.insist('POST', `/endpoints/${tenant.endpoints[0]!.id}/resume`);
  const tried = await within(WAIT_MS, async () => (await failing(testbed, tenant)) >= unfinished, 1_000);
  named.figure('tried by the earlier version', await failing(testbed, tenant));
  checks.hold(tried, 'the earlier version did not try to send all that is sealed');
  const { status } = await tenant.api.call('GET', `/events/${tenant.ledger().acknowledged[0]!.id}`);
  named.figure('status of a sealed event in the earlier version', status);
  checks.hold(status === 500, `the earlier version answers a sealed event with ${status}`);

  const young = await testbed.open('accepted-meanwhile', { endpoints: [{ delayMs: 10 }] });
  const load = await young.load(counts.perSecond);
  await within(WAIT_MS, async () => (await load.progress()).acknowledged >= counts.rolledDeliveries / 3);
  await load.stop();
  const meanwhile = await young.settle(SETTLE_MS);
  checks.hold(meanwhile.lost.length === 0, `${meanwhile.lost.length} that the earlier version accepted are lost`);
  holdAllDelivered({ ...checks, figure: () => undefined }, meanwhile);
  const sent = tenant.received().length - before;
  named.figure('requests of the earlier version', sent);
  checks.hold(sent === 0, `the earlier version sent ${sent} requests for events that it can't read`);

  await roll();
  const verdict = await tenant.settle(SETTLE_MS);
  holdNothingLost(named, verdict);
  holdAllDelivered(named, verdict, REFUSED);
  holdNoRepeats(named, verdict);
}

/** Half of the events wait for their second attempt when the endpoint is paused, the others for their first. */
async function sendAndPause(tenant: Tenant, counts: Counts): Promise<void> {
  const load = await tenant.load(counts.rolledPerSecond);
  const accept = (count: number) => within(WAIT_MS, async () => (await load.progress()).acknowledged >= count, 20);
  await accept(counts.rolledDeliveries / 2);
  await tenant.api.insist('POST', `/endpoints/${tenant.endpoints[0]!.id}/pause`);
  await accept(counts.rolledDeliveries);
  await load.stop();
}

function delivered(tenant: Tenant): number {
  return tenant.received().filter(({ status }) => status === 200).length;
}

/** Executions of the tenant whose attempt fails in the worker, and is tried again. */
function failing({ cluster }: Testbed, tenant: Tenant): Promise<number> {
  return withTemporal(cluster.temporal.address, async (client) => {
    const query = `EverpostAccountId = '${tenant.accountId}' AND ExecutionStatus = 'Running'`;
    const running: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) running.push(workflowId);
    const described = await inLanes(running, LANES, (id) => client.workflow.getHandle(id).describe());
    return described.filter(({ raw }) => raw.pendingActivities?.some(({ lastFailure }) => lastFailure)).length;
  });
}
