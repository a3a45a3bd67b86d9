import { REPLAY_WORKFLOW, replayWorkflowId } from '../../src/domain/replay-contract';
import { REPLAY_SWEEPER_TIMING, sweepReplaysOnce } from '../../src/dispatch/replay-sweeper';
import { startOf } from '../../src/dispatch/start-delivery';
import { createReplay } from '../../src/replays/create-replay';
import type { ReplayJob } from '../../src/replays/store';
import { createLogger } from '../../src/platform/logger';
import { insertEvents } from '../support/build-events';
import { buildReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { buildAttempt, useDataPath, type DataPath } from '../support/build-data-path';

// A bulk replay replays each delivery of its set once, and counts right, whatever is killed and repeated.

const COUNT = 250;
const logger = createLogger('silent');

const path = useDataPath();
// One for the file: some runs are started before there is a worker.
const receiver = useFixture('file', buildReceiver, (it) => it.close());
let lastId = 0;

/** Failed deliveries to an endpoint of their own, and a job for them that nobody runs yet. */
async function failedWithJob(count = COUNT, ratePerSecond = 500): Promise<ReplayJob> {
  const endpointId = await path.endpoint(receiver.url, 'never');
  const specs = Array.from({ length: count }, () => {
    const id = (lastId += 1);
    return { id: 5_000_000 + id, accountId: path.accountId, deliveries: [{ endpointId, state: 'failed' as const }] };
  });
  await insertEvents(path.mongo, specs);
  const replayStarter = { start: () => Promise.reject(new Error('Temporal is away')) };
  const deps = { ...path.parts.stores, replayStarter, logger };
  const now = await path.parts.stores.dispatch.now();
  return createReplay(deps, { accountId: path.accountId, now }, { state: 'failed', endpointId, ratePerSecond });
}

/** How often each delivery of the job was replayed, by number of replays. */
async function runsOf(job: ReplayJob): Promise<Record<string, number>> {
  const found = await path.events.find({ 'destinations.endpoint_id': job.filter.endpoint_id! }).toArray();
  const counts: Record<string, number> = {};
  for (const { destinations } of found) counts[destinations[0]!.run] = (counts[destinations[0]!.run] ?? 0) + 1;
  return counts;
}

const jobNow = async ({ _id }: ReplayJob): Promise<ReplayJob> => (await path.parts.stores.replays.find(_id))!;
const nothing = (): Promise<void> => Promise.resolve();

/** Runs the job's activities to its end, again from the start whenever one fails. @returns how often one failed */
async function runToEnd(executor: ReturnType<DataPath['executor']>, { _id: jobId }: ReplayJob): Promise<number> {
  let failures = 0;
  for (;;) {
    try {
      await executor.countReplay(jobId);
      while (await executor.replayPage(jobId));
      return failures;
    } catch {
      failures += 1;
    }
  }
}

it('a page that is repeated after a crash at any step replays and counts each delivery once', async () => {
  const job = await failedWithJob();
  const { replays, deliveries } = path.parts.stores;
  // Each call of a store may be the last thing that a process does: before it is done, or after; each start too.
  let calls = 0;
  let next = 2;
  const isLast = (): boolean => {
    calls += 1;
    if (calls !== next) return false;
    next += 15 + (calls % 7);
    return true;
  };
  const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isLast()) return work();
    if (calls % 2 === 0) await work();
    throw new Error('killed');
  };
  const starts: string[] = [];
  const executor = path.executor({
    replays: {
      ...replays,
      setMatched: (...args) => mortal(() => replays.setMatched(...args)),
      beginPage: (...args) => mortal(() => replays.beginPage(...args)),
      endPage: (...args) => mortal(() => replays.endPage(...args)),
      end: (...args) => mortal(() => replays.end(...args)),
    },
    deliveries: {
      ...deliveries,
      replayAll: (...args) => mortal(() => deliveries.replayAll(...args)),
      findReplayed: (...args) => mortal(() => deliveries.findReplayed(...args)),
    },
    async startRun({ event, destination }) {
      starts.push(`${event._id}/${destination.run}`);
      await deliveries.markStarted({ eventId: event._id, endpointId: destination.endpoint_id, run: destination.run });
    },
    heartbeat() {
      if (isLast()) throw new Error('killed');
    },
  });

  expect(await runToEnd(executor, job)).toBeGreaterThan(5);

  expect(await runsOf(job)).toEqual({ 2: COUNT });
  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: COUNT, replayed: COUNT, skipped: 0 });
  expect(new Set(starts).size).toBe(COUNT);
  const { finished_at: end, expires_at: expiry } = await jobNow(job);
  expect(expiry!.getTime() - end!.getTime()).toBe(path.config.retentionMs);
});

it("a run whose start is answered too late, and one that can't be started, hold nothing up", async () => {
  const job = await failedWithJob(60);
  const { deliveries } = path.parts.stores;
  let starts = 0;
  let pages = 0;
  const executor = path.executor({
    deliveries: {
      ...deliveries,
      // The process that begins the page dies then, and the first run is delivered before another one takes over.
      async findReplayed(refs, jobId) {
        const runs = await deliveries.findReplayed(refs, jobId);
        pages += 1;
        if (pages > 1) return runs;
        const [{ event, destination }] = runs as [(typeof runs)[number]];
        const ref = { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run };
        await deliveries.applyAnswer(buildAttempt(ref), { succeeded: true });
        throw new Error('killed');
      },
    },
    startRun: (run) => {
      starts += 1;
      return starts === 5 ? Promise.reject(new Error('no')) : path.parts.starter.start(startOf(run, new Date()));
    },
  });

  expect(await runToEnd(executor, job)).toBe(1);

  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: 60, replayed: 60 });
  expect(starts).toBe(59);
  const unstarted = { 'destinations.replay_job': job._id, 'destinations.dispatch': 'due' };
  expect(await path.events.countDocuments(unstarted)).toBe(1);
});

it('while Temporal takes no starts, the job stays on its page', async () => {
  const job = await failedWithJob(100);
  let isAway = true;
  const startRun = () => (isAway ? Promise.reject(new Error('Temporal is away')) : nothing());
  const executor = path.executor({ startRun });

  await executor.countReplay(job._id);
  await expect(executor.replayPage(job._id)).rejects.toThrow('50 of 50 replayed deliveries could not be started');
  expect(await runsOf(job)).toEqual({ 1: 50, 2: 50 });
  isAway = false;
  await runToEnd(executor, job);

  expect(await jobNow(job)).toMatchObject({ state: 'completed', replayed: 100 });
  expect(await runsOf(job)).toEqual({ 2: 100 });
});

it('two workers on the same page at once replay and count each delivery once', async () => {
  const job = await failedWithJob();
  const executors = [path.executor({ startRun: nothing }), path.executor({ startRun: nothing })];

  await Promise.all(executors.map((executor) => runToEnd(executor, job)));

  expect(await runsOf(job)).toEqual({ 2: COUNT });
  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: COUNT, replayed: COUNT, skipped: 0 });
});

it('two jobs over the same deliveries replay each of them once, and each counts its own', async () => {
  const one = await failedWithJob();
  const other = { ...one, _id: `${one._id.slice(0, -4)}twin` };
  await path.parts.stores.replays.insert(other);

  await Promise.all([one, other].map((job) => runToEnd(path.executor({ startRun: nothing }), job)));

  expect(await runsOf(one)).toEqual({ 2: COUNT });
  const [first, second] = [await jobNow(one), await jobNow(other)];
  expect(first.replayed + second.replayed).toBe(COUNT);
  for (const { matched, replayed, skipped } of [first, second]) expect(replayed + skipped).toBe(matched);
});

it('a job that is cancelled in the middle of a page counts what it has begun, and begins nothing more', async () => {
  const job = await failedWithJob();
  const { replays } = path.parts.stores;
  let started = 0;
  const executor = path.executor({
    startRun: async () => {
      started += 1;
      if (started === 60) await replays.end(job._id, 'cancelled');
    },
  });

  await runToEnd(executor, job);

  const { state, replayed } = await jobNow(job);
  expect(state).toBe('cancelled');
  expect(replayed).toBe(100);
  expect(await runsOf(job)).toEqual({ 1: COUNT - 100, 2: 100 });
});

it('deliveries that finish after the job was created are not among its own', async () => {
  const job = await failedWithJob(10);
  const late = new Date(Date.now() + 1_000);
  const endpointId = job.filter.endpoint_id!;
  await insertEvents(path.mongo, [
    { id: 9_000_001, accountId: path.accountId, deliveries: [{ endpointId, state: 'failed', completedAt: late }] },
  ]);

  await runToEnd(path.executor({ startRun: nothing }), job);

  expect(await jobNow(job)).toMatchObject({ matched: 10, replayed: 10 });
  expect(await runsOf(job)).toEqual({ 1: 1, 2: 10 });
});

describe('with a worker', () => {
  const sweep = async (): Promise<void> => {
    const { stores, replayStarter } = path.parts;
    const deps = { ...stores, replayStarter, temporal: path.temporal, logger, owner: 'sweeper' };
    await sweepReplaysOnce(deps, { ...REPLAY_SWEEPER_TIMING, startGraceMs: 0, silentMs: 0 });
  };
  /** Sweeps until none of the jobs runs any more. */
  const sweepUntilOver = (jobs: readonly ReplayJob[]): Promise<ReplayJob[]> =>
    eventually(
      async () => {
        await sweep();
        return Promise.all(jobs.map(jobNow));
      },
      (them) => them.every(({ state }) => state !== 'running'),
    );
  const handleOf = (job: ReplayJob) => path.temporal.client()!.workflow.getHandle(replayWorkflowId(job._id));

  beforeAll(() => path.worker());

  it('a job that was taken in while Temporal was away is started by the sweeper', async () => {
    const job = await failedWithJob(5);

    await sweep();
    await handleOf(job).result();

    expect(await jobNow(job)).toMatchObject({ state: 'completed', replayed: 5, started: true });
    await eventually(
      () => runsOf(job),
      (runs) => runs['2'] === 5,
    );
  });

  it('a job whose execution Temporal lost goes on where it was', async () => {
    const job = await failedWithJob(15, 5);
    await path.parts.replayStarter.start(job);
    await eventually(
      () => jobNow(job),
      ({ replayed }) => replayed > 0,
    );
    await path.loseExecution(handleOf(job));

    const [after] = await sweepUntilOver([job]);

    expect(after).toMatchObject({ state: 'completed', matched: 15, replayed: 15, skipped: 0 });
    expect(await runsOf(job)).toEqual({ 2: 15 });
  });

  it('a job that somebody terminates in Temporal is recorded as cancelled; so is one that is cancelled there', async () => {
    const [terminated, cancelled] = [await failedWithJob(50, 1), await failedWithJob(50, 1)];
    await Promise.all([terminated, cancelled].map((job) => path.parts.replayStarter.start(job)));
    await eventually(
      async () => Promise.all([jobNow(terminated), jobNow(cancelled)]),
      (jobs) => jobs.every(({ replayed }) => replayed > 0),
    );

    await handleOf(terminated).terminate();
    await handleOf(cancelled).cancel();

    const jobs = await sweepUntilOver([terminated, cancelled]);
    expect(jobs.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });

  it('a job whose execution failed is recorded as failed', async () => {
    const job = await failedWithJob(5);
    await path.temporal.client()!.workflow.start(REPLAY_WORKFLOW, {
      taskQueue: 'nobody-polls',
      workflowId: replayWorkflowId(job._id),
      workflowExecutionTimeout: '1s',
      args: [{ jobId: job._id }],
    });
    await path.parts.stores.replays.markStarted(job._id);

    expect(await sweepUntilOver([job])).toMatchObject([{ state: 'failed' }]);
  });
});
