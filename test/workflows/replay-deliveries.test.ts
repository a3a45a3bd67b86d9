import { DELIVERY_TASK_QUEUE } from '../../src/domain/delivery-contract';
import {
  REPLAY_CANCELLED_SIGNAL,
  REPLAY_WORKFLOW,
  replayPageSize,
  type ReplayActivities,
} from '../../src/domain/replay-contract';
import { eventually } from '../support/eventually';
import { useTimeSkipping } from './time-skipping-worker';

// The pace of a bulk replay, on a clock that skips the waits.

const SECOND = 1_000;
/** The first page may begin so much later than the workflow asked for it. */
const SLACK_MS = 3 * SECOND;

/** A job as its activities see it. */
interface PlayedJob {
  readonly total: number;
  readonly ratePerSecond: number;
  /** What the activity throws before its n-th page, an infrastructure failure. */
  readonly failsBefore?: number;
  /** When each page was asked for, and how many deliveries it took. */
  readonly pages: { atMs: number; taken: number }[];
  counted: number;
  cancelled: boolean;
  recordedCancel: boolean;
}

const jobs = new Map<string, PlayedJob>();
const stage = useTimeSkipping([DELIVERY_TASK_QUEUE], playActivities());

function playActivities(): ReplayActivities {
  let failures = 0;
  return {
    countReplay: async (jobId) => void (jobs.get(jobId)!.counted += 1),
    async replayPage(jobId) {
      const job = jobs.get(jobId)!;
      if (job.pages.length === job.failsBefore && failures < 3) {
        failures += 1;
        throw new Error('MongoDB is away');
      }
      const done = job.pages.reduce((sum, { taken }) => sum + taken, 0);
      const taken = Math.min(job.total - done, replayPageSize(job.ratePerSecond));
      if (taken === 0 || job.cancelled) return null;
      job.pages.push({ atMs: await stage.environment.currentTimeMs(), taken });
      return { taken, ratePerSecond: job.ratePerSecond, replayed: done + taken, matched: job.total };
    },
    recordReplayCancelled: async (jobId) => void (jobs.get(jobId)!.recordedCancel = true),
  };
}

async function start(total: number, ratePerSecond: number, options: Partial<PlayedJob> = {}) {
  const jobId = `rpl_${jobs.size}`;
  const job: PlayedJob = {
    total,
    ratePerSecond,
    pages: [],
    counted: 0,
    cancelled: false,
    recordedCancel: false,
    ...options,
  };
  jobs.set(jobId, job);
  const options_ = { taskQueue: DELIVERY_TASK_QUEUE, workflowId: `replay/${jobId}`, args: [{ jobId }] };
  return { job, handle: await stage.environment.client.workflow.start(REPLAY_WORKFLOW, options_) };
}

it.each([
  [500, 50, 10],
  [3_000, 500, 6],
  [20, 1, 20],
  [25, 2.5, 10],
])(
  '%i deliveries at %d a second take %d s: never sooner, and not twice as long',
  async (total, rate, seconds) => {
    const { job, handle } = await start(total, rate);
    await handle.result();

    const firstMs = job.pages[0]!.atMs;
    const last = job.pages.at(-1)!;
    const takenSeconds = (last.atMs - firstMs) / SECOND + last.taken / rate;
    expect(takenSeconds).toBeGreaterThan(seconds * 0.99);
    // The test server's time goes on while a busy machine works.
    expect(takenSeconds).toBeLessThan(seconds * 2);
    expect(job.pages.reduce((sum, { taken }) => sum + taken, 0)).toBe(total);
    // At no time is it more than one page ahead of its rate.
    let done = 0;
    for (const { atMs, taken } of job.pages) {
      expect(done).toBeLessThanOrEqual((rate * (atMs - firstMs + SLACK_MS)) / SECOND);
      done += taken;
    }
    expect(job.counted).toBe(1);
  },
  120_000,
);

it('after a failure that lasted it keeps its rate: what was missed is not sent in a burst', async () => {
  const { job, handle } = await start(1_000, 50, { failsBefore: 3 });
  await handle.result();

  const { pages } = job;
  for (let at = 3; at + 2 < pages.length; at += 1) {
    // Three pages are six seconds' worth; one page may be made up for.
    expect(pages[at + 2]!.atMs - pages[at]!.atMs).toBeGreaterThan(SECOND);
  }
});

it('a cancelled job ends at once, not at the end of its wait', async () => {
  const { job, handle } = await start(10, 1);
  await eventually(
    () => Promise.resolve(job.pages.length),
    (pages) => pages > 0,
  );
  job.cancelled = true;
  await handle.signal(REPLAY_CANCELLED_SIGNAL);

  await handle.result();

  expect(job.pages.length).toBeLessThan(5);
  expect(job.recordedCancel).toBe(false);
});

it("a cancel in Temporal's Web UI is written down", async () => {
  const { job, handle } = await start(1_000, 1);
  await eventually(
    () => Promise.resolve(job.pages.length),
    (pages) => pages > 0,
  );

  await handle.cancel();

  await expect(handle.result()).rejects.toThrow('Workflow execution cancelled');
  expect(job.recordedCancel).toBe(true);
});
