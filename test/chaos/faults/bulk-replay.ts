import { kill, type Kill } from '../cluster/kill';
import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { within } from '../waiting';

/** Of the replay: slow enough that the workers are killed in the middle of it. */
const SECONDS = 6;
/** In `workflow` a busy machine makes ten first attempts a second. */
const FAILED_WITHIN_MS = 400_000;

export const bulkReplay: Fault = {
  name: 'bulk-replay',
  title: 'kill -9 of both workers in the middle of a bulk replay',
  criterion:
    'each delivery is replayed once; the job counts each once; repeated POSTs ≤ attempts in flight at the kills',
  ways: quickIn('workflow'),
  async run(testbed, counts) {
    const { workers } = testbed.cluster;
    const checks = createChecks();
    // One attempt, which fails: every delivery is there to be replayed.
    const tenant = await testbed.open('bulk-replay', {
      endpoints: [{ failFirst: 1, delayMs: 50 }],
      retrySchedule: [0],
    });
    const load = await tenant.load(counts.unfinishedPerSecond);
    await within(60_000, async () => (await load.progress()).acknowledged >= counts.replayed, 20);
    await load.stop();
    const failed = (await tenant.settle(FAILED_WITHIN_MS)).states['failed'] ?? 0;

    const rate = Math.ceil(failed / SECONDS);
    const created = await tenant.api.insist('POST', '/replays', { filter: {}, rate_per_second: rate });
    const replayed = (): number => tenant.received().filter(({ status }) => status === 200).length;
    const kills: Kill[] = [];
    for (let count = 1; count <= counts.replayKills; count += 1) {
      await within(60_000, () => replayed() >= (failed * count) / (counts.replayKills + 1), 20);
      kills.push(await kill(testbed.cluster, workers));
      checks.hold(replayed() < failed, 'the replay was over before the kill');
      await Promise.all(workers.map((worker) => worker.start()));
    }

    const job = async () => (await tenant.api.insist('GET', `/replays/${created.body.job_id}`)).body;
    await within(240_000, async () => (await job()).state !== 'running' && replayed() >= failed);
    const { state, matched, replayed: counted, skipped } = await job();
    checks.figure('job', `${state}: ${matched} matched, ${counted} replayed, ${skipped} skipped`);
    const isRight = state === 'completed' && matched === failed && counted === failed && skipped === 0;
    checks.hold(isRight, `the job does not say that it replayed all ${failed} once`);
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdRepeatsInFlight(checks, verdict, tenant, kills);
    return checks.outcome();
  },
};
