import { startOf } from '../../src/engine/task';
import { createLogger } from '../../src/platform/logger';
import { mergeTiers } from '../../src/domain/tiers';
import { createDeliveryBudget } from '../../src/limits/delivery-budget';
import { createDeliveryBudgetStore } from '../../src/limits/delivery-budget-store';
import type { Periodic } from '../../src/platform/periodic';
import { createReplay } from '../../src/replays/replay-jobs';
import { countReplay, replayPage, type ReplayPageDeps } from '../../src/replays/replay-page';
import type { JobTiming } from '../../src/platform/run-jobs';
import { runReplays, type RunReplaysDeps } from '../../src/replays/run-replays';
import type { ReplayJob } from '../../src/replays/replay-store';
import { insertEvents } from '../support/build-events';
import { buildReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { buildAttempt, useDataPath } from '../support/build-data-path';

// A bulk replay replays each delivery of its set once, and counts right, whatever is killed and repeated.

const COUNT = 250;
const logger = createLogger('silent');

const path = useDataPath();
// One for the file: some runs are started before there is a worker.
const receiver = useFixture('file', buildReceiver, (it) => it.close());
let lastId = 0;

/** Failed deliveries to a new endpoint, and a job for them that does not run yet. */
async function failedWithJob(count = COUNT, ratePerSecond = 500): Promise<ReplayJob> {
  const endpointId = await path.endpoint(receiver.url, 'never');
  const specs = Array.from({ length: count }, () => {
    const id = (lastId += 1);
    return { id: 5_000_000 + id, accountId: path.accountId, deliveries: [{ endpointId, state: 'failed' as const }] };
  });
  await insertEvents(path.mongo, specs);
  const now = await path.parts.stores.dispatch.now();
  return createReplay(
    path.parts.stores,
    { accountId: path.accountId, now },
    { state: 'failed', endpointId, ratePerSecond },
  );
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

/** What pages need, in a process that starts nothing and has every job to itself. */
function pageDeps(deps: Partial<ReplayPageDeps> = {}): ReplayPageDeps {
  const { stores, budget } = path.parts;
  const keep = async (jobId: string): Promise<boolean> => (await stores.replays.find(jobId))?.state === 'running';
  return { ...stores, budget, startRun: nothing, retryRun: async () => true, keep, ...deps };
}

/** Runs the job to its end, again from the start whenever something fails. @returns how often something failed */
async function runToEnd(deps: ReplayPageDeps, job: ReplayJob): Promise<number> {
  let failures = 0;
  for (;;) {
    try {
      await countReplay(deps, await jobNow(job));
      while ((await replayPage(deps, job._id)).kind !== 'ended');
      return failures;
    } catch {
      failures += 1;
    }
  }
}

it('a page of what is retrying, repeated after a crash, makes no second attempt', async () => {
  const endpointId = await path.endpoint('https://example.com/webhooks', 'nothing');
  const ids = [1, 2, 3].map(() => 5_000_000 + (lastId += 1));
  const spec = (id: number) => ({
    id,
    accountId: path.accountId,
    deliveries: [{ endpointId, state: 'retrying' as const }],
  });
  await insertEvents(path.mongo, ids.map(spec));
  const { replays, dispatch } = path.parts.stores;
  const about = { accountId: path.accountId, now: await dispatch.now() };
  const job = await createReplay(path.parts.stores, about, { state: 'retrying', endpointId, ratePerSecond: 500 });
  const retried: number[] = [];
  let isKilled = false;
  const deps = pageDeps({
    // The attempt is made, and fails.
    async retryRun({ event }) {
      retried.push(event._id);
      await path.events.updateOne({ _id: event._id }, { $set: { 'destinations.0.attempt_count': 2 } });
      return true;
    },
    replays: {
      ...replays,
      endPage: (...args) =>
        isKilled ? replays.endPage(...args) : ((isKilled = true), Promise.reject(new Error('killed'))),
    },
  });

  expect(await runToEnd(deps, job)).toBe(1);

  expect(retried.toSorted((a, b) => a - b)).toEqual(ids);
  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: 3, replayed: 3, skipped: 0 });
});

it('a page repeated after a crash at any step replays and counts each delivery once', async () => {
  const job = await failedWithJob();
  const { replays, deliveries } = path.parts.stores;
  // Each call of a store may be the last thing that a process does: before it is done, or after.
  let calls = 0;
  let deaths = 0;
  let next = 2;
  const isLast = (): boolean => {
    calls += 1;
    if (calls !== next) return false;
    // Each process gets a bit further than the one before.
    deaths += 1;
    next += 1 + deaths;
    return true;
  };
  const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isLast()) return work();
    if (calls % 2 === 0) await work();
    throw new Error('killed');
  };
  const starts: string[] = [];
  const deps = pageDeps({
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
  });

  expect(await runToEnd(deps, job)).toBeGreaterThan(5);

  expect(await runsOf(job)).toEqual({ 2: COUNT });
  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: COUNT, replayed: COUNT, skipped: 0 });
  expect(new Set(starts).size).toBe(COUNT);
  const { finished_at: end, expires_at: expiry } = await jobNow(job);
  expect(expiry!.getTime() - end!.getTime()).toBe(path.config.retentionMs);
});

it("a run whose start is confirmed too late, or fails, doesn't block the job", async () => {
  const job = await failedWithJob(60);
  const { deliveries } = path.parts.stores;
  let starts = 0;
  let pages = 0;
  const deps = pageDeps({
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
      return starts === 5 ? Promise.reject(new Error('no')) : path.parts.executions.start(startOf(run, new Date()));
    },
  });

  expect(await runToEnd(deps, job)).toBe(1);

  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: 60, replayed: 60 });
  expect(starts).toBe(59);
  const unstarted = { 'destinations.replay_job': job._id, 'destinations.dispatch': 'due' };
  expect(await path.events.countDocuments(unstarted)).toBe(1);
});

it('while Temporal refuses starts, the job stays on its page', async () => {
  const job = await failedWithJob(100);
  let isAway = true;
  const startRun = () => (isAway ? Promise.reject(new Error('Temporal is away')) : nothing());
  const deps = pageDeps({ startRun });

  await countReplay(deps, job);
  await expect(replayPage(deps, job._id)).rejects.toThrow('50 of 50 deliveries could not be started');
  expect(await runsOf(job)).toEqual({ 1: 50, 2: 50 });
  isAway = false;
  await runToEnd(deps, job);

  expect(await jobNow(job)).toMatchObject({ state: 'completed', replayed: 100 });
  expect(await runsOf(job)).toEqual({ 2: 100 });
});

it('two workers on one page replay and count each delivery once', async () => {
  const job = await failedWithJob();
  const both = [pageDeps(), pageDeps()];

  await Promise.all(both.map((deps) => runToEnd(deps, job)));

  expect(await runsOf(job)).toEqual({ 2: COUNT });
  expect(await jobNow(job)).toMatchObject({ state: 'completed', matched: COUNT, replayed: COUNT, skipped: 0 });
});

it('two jobs over the same deliveries replay each of them once, and each job counts its own', async () => {
  const one = await failedWithJob();
  const other = { ...one, _id: `${one._id.slice(0, -4)}twin` };
  await path.parts.stores.replays.insert(other, 10);

  await Promise.all([one, other].map((job) => runToEnd(pageDeps(), job)));

  expect(await runsOf(one)).toEqual({ 2: COUNT });
  const [first, second] = [await jobNow(one), await jobNow(other)];
  expect(first.replayed + second.replayed).toBe(COUNT);
  for (const { matched, replayed, skipped } of [first, second]) expect(replayed + skipped).toBe(matched);
});

it('a job cancelled in the middle of a page counts what it started, and starts nothing more', async () => {
  const job = await failedWithJob();
  const { replays } = path.parts.stores;
  let started = 0;
  const deps = pageDeps({
    startRun: async () => {
      started += 1;
      if (started === 60) await replays.end(job._id, 'cancelled');
    },
  });

  await runToEnd(deps, job);

  const { state, replayed } = await jobNow(job);
  expect(state).toBe('cancelled');
  expect(replayed).toBe(100);
  expect(await runsOf(job)).toEqual({ 1: COUNT - 100, 2: 100 });
});

it("deliveries that finish after the job's creation don't belong to it", async () => {
  const job = await failedWithJob(10);
  const late = new Date(Date.now() + 1_000);
  const endpointId = job.filter.endpoint_id!;
  await insertEvents(path.mongo, [
    { id: 9_000_001, accountId: path.accountId, deliveries: [{ endpointId, state: 'failed', completedAt: late }] },
  ]);

  await runToEnd(pageDeps(), job);

  expect(await jobNow(job)).toMatchObject({ matched: 10, replayed: 10 });
  expect(await runsOf(job)).toEqual({ 1: 1, 2: 10 });
});

describe('run by workers', () => {
  const runners: Periodic[] = [];
  beforeEach(async () => {
    await path.mongo.db.collection('replays').deleteMany({});
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()));
  });

  const runner = (deps: Partial<RunReplaysDeps> = {}, timing: Partial<JobTiming> = {}): Periodic => {
    const all = {
      ...pageDeps(),
      replays: path.parts.stores.replays,
      logger,
      owner: `worker ${runners.length}`,
      ...deps,
    };
    const begun = runReplays(all, { intervalMs: 50, leaseMs: 500, ...timing });
    runners.push(begun);
    return begun;
  };
  const untilOver = (job: ReplayJob): Promise<ReplayJob> =>
    eventually(
      () => jobNow(job),
      ({ state, due_at: dueAt }) => state !== 'running' && dueAt === null,
    );
  const untilBegun = (job: ReplayJob): Promise<ReplayJob> =>
    eventually(
      () => jobNow(job),
      ({ replayed }) => replayed > 0,
    );

  /** The account may have 20 deliveries a minute. */
  const smallBudget = () => {
    const tier = {
      id: 'enterprise',
      name: 'Enterprise',
      monthlyQuota: null,
      perMinute: 3_000,
      deliveriesPerMinute: 20,
    };
    return createDeliveryBudget(createDeliveryBudgetStore(path.mongo.db, mergeTiers([tier])));
  };

  it("a job waits for its account's budget of deliveries, and leaves half of it to live events", async () => {
    const budget = smallBudget();
    const accounts = path.mongo.db.collection<{ _id: string; deliveries: { window_used: number } }>('accounts');
    await accounts.updateOne({ _id: path.accountId }, { $unset: { deliveries: '' } });
    const job = await failedWithJob(15);
    let looks = 0;
    const takeForReplay: typeof budget.takeForReplay = (...wanted) => {
      looks += 1;
      return budget.takeForReplay(...wanted);
    };

    runner({ budget: { ...budget, takeForReplay } });

    await eventually(
      () => looks,
      (count) => count > 3,
    );
    expect(await jobNow(job)).toMatchObject({ state: 'running', replayed: 10 });
    expect(await runsOf(job)).toEqual({ 1: 5, 2: 10 });
    // The minute is over.
    const account = { _id: path.accountId };
    expect(await accounts.findOne(account)).toMatchObject({ deliveries: { window_used: 10 } });
    await accounts.updateOne(account, { $set: { 'deliveries.window_started_at': new Date(0) } });
    expect(await untilOver(job)).toMatchObject({ state: 'completed', replayed: 15, skipped: 0 });
    expect(await runsOf(job)).toEqual({ 2: 15 });
  });

  it('counts what it sends, not what a page has room for', async () => {
    const accounts = path.mongo.db.collection<{ _id: string; deliveries: { window_used: number } }>('accounts');
    await accounts.updateOne({ _id: path.accountId }, { $unset: { deliveries: '' } });
    const job = await failedWithJob(3);

    runner();

    expect(await untilOver(job)).toMatchObject({ state: 'completed', replayed: 3 });
    expect(await accounts.findOne({ _id: path.accountId })).toMatchObject({ deliveries: { window_used: 3, total: 3 } });
  });

  it('a page that can not be read takes nothing of the budget', async () => {
    const budget = smallBudget();
    const accounts = path.mongo.db.collection<{ _id: string }>('accounts');
    await accounts.updateOne({ _id: path.accountId }, { $unset: { deliveries: '' } });
    const job = await failedWithJob(15);
    const unreadable = { page: () => Promise.reject(new Error('away')) };

    await expect(replayPage(pageDeps({ budget, deliveryLists: unreadable }), job._id)).rejects.toThrow('away');

    expect(await replayPage(pageDeps({ budget }), job._id)).toEqual({ kind: 'done', count: 10, ratePerSecond: 500 });
  });

  it('a job of a killed worker resumes where it stopped', async () => {
    const { replays } = path.parts.stores;
    const job = await failedWithJob(15, 5);
    expect((await replays.claim('killed', 200))?._id).toBe(job._id);
    await replays.setMatched(job._id, 15);
    await replayPage(pageDeps(), job._id);

    runner();

    expect(await untilOver(job)).toMatchObject({ state: 'completed', matched: 15, replayed: 15, skipped: 0, pages: 2 });
    expect(await runsOf(job)).toEqual({ 2: 15 });
  });

  it('a worker that stops hands its job over at once, before its claim ends', async () => {
    const job = await failedWithJob(15, 5);
    const patient = { leaseMs: 3_600_000 };
    const first = runner({}, patient);
    await untilBegun(job);
    await first.close();
    expect(await jobNow(job)).toMatchObject({ state: 'running', claimed_by: null });

    runner({}, patient);

    expect(await untilOver(job)).toMatchObject({ state: 'completed', replayed: 15 });
    expect(await runsOf(job)).toEqual({ 2: 15 });
  });

  it('a worker that stops hands over a job that its search claims again at that moment', async () => {
    const { replays } = path.parts.stores;
    const job = await failedWithJob(15, 5);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let claims = 0;
    let second: Promise<ReplayJob | null> | undefined;
    const first = runner(
      {
        replays: {
          ...replays,
          claim(owner, leaseMs) {
            claims += 1;
            if (claims !== 2) return replays.claim(owner, leaseMs);
            return (second = released.then(() => replays.claim(owner, leaseMs)));
          },
          async letGo(id, owner) {
            await replays.letGo(id, owner);
            release();
            await second;
          },
        },
      },
      { leaseMs: 3_600_000 },
    );
    await untilBegun(job);

    await first.close();

    expect((await second)?._id).toBe(job._id);
    expect(await jobNow(job)).toMatchObject({ state: 'running', claimed_by: null });
  });

  it('a page of a killed worker is counted, even if the job is cancelled meanwhile', async () => {
    const { replays } = path.parts.stores;
    const job = await failedWithJob(20, 5);
    await replays.claim('killed', 200);
    const killed = (): Promise<never> => Promise.reject(new Error('killed'));
    const mortal = { ...pageDeps(), replays: { ...replays, endPage: killed } };
    await expect(replayPage(mortal, job._id)).rejects.toThrow('killed');
    await replays.end(job._id, 'cancelled');

    runner();

    expect(await untilOver(job)).toMatchObject({ state: 'cancelled', replayed: 10, page: null });
    expect(await runsOf(job)).toEqual({ 1: 10, 2: 10 });
  });

  it('a job continues after a page failed', async () => {
    const job = await failedWithJob(10);
    let tries = 0;
    const findMany: RunReplaysDeps['endpoints']['findMany'] = (ids) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error('MongoDB is away')) : path.parts.stores.endpoints.findMany(ids);
    };

    runner({ endpoints: { findMany } });

    expect(await untilOver(job)).toMatchObject({ state: 'completed', replayed: 10 });
  });

  it("a worker whose claim ends while Temporal is slow doesn't run its job twice", async () => {
    const job = await failedWithJob(10);
    let pages = 0;
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const { replays } = path.parts.stores;
    let claims = 0;
    const claim: typeof replays.claim = async (...args) => {
      const claimed = await replays.claim(...args);
      if (claimed) claims += 1;
      return claimed;
    };
    const findMany: RunReplaysDeps['endpoints']['findMany'] = async (ids) => {
      pages += 1;
      await slow;
      return path.parts.stores.endpoints.findMany(ids);
    };

    runner({ endpoints: { findMany }, replays: { ...replays, claim } }, { leaseMs: 100 });
    await eventually(
      () => Promise.resolve(claims),
      (count) => count > 2,
    );
    release();

    expect(await untilOver(job)).toMatchObject({ state: 'completed', replayed: 10 });
    expect(pages).toBe(1);
  });
});
