"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.REPLAY_TIMING = void 0;
exports.runReplays = runReplays;
const replay_contract_1 = require("../domain/replay-contract");
const periodic_1 = require("../platform/periodic");
const sleep_1 = require("../platform/sleep");
const replay_page_1 = require("./replay-page");
/** A job that waits for its account's budget keeps its claim. */
const LOOKS_PER_LEASE = 3;
exports.REPLAY_TIMING = { intervalMs: 2_000, leaseMs: 30_000 };
/**
 * Runs bulk replays, page by page, at the rate of each: however many deliveries they have. What is done is in MongoDB
 * after each page, so that another process goes on with the job of one that was killed. Part of the worker role; safe in
 * any number of workers.
 */
function runReplays(deps, { intervalMs, leaseMs } = exports.REPLAY_TIMING) {
    const { replays, logger, owner } = deps;
    /** By job. */
    const running = new Map();
    const keep = async (jobId) => {
        const job = await replays.keep(jobId, owner, leaseMs);
        if (!job)
            throw new Error('another process has the job');
        return job.state === 'running';
    };
    const run = async (job, stop) => {
        try {
            await runReplay({ ...deps, keep }, job, { stop, leaseMs });
            await replays.letGo(job._id, owner);
        }
        catch (error) {
            logger.info({ err: error, job_id: job._id }, 'a bulk replay was interrupted; it goes on when its claim ends');
        }
    };
    const failure = 'bulk replays could not be looked for; the next look tries again';
    const looking = (0, periodic_1.runPeriodically)({ intervalMs, logger, failure }, async (stop) => {
        for (let job = await replays.claim(owner, leaseMs); job; job = await replays.claim(owner, leaseMs)) {
            const { _id: jobId } = job;
            // One whose claim ended under way is kept, not run twice.
            if (running.has(jobId))
                continue;
            const begun = run(job, stop).finally(() => running.delete(jobId));
            running.set(jobId, begun);
        }
    });
    return {
        async close() {
            await looking.close();
            await Promise.all(running.values());
        },
    };
}
/** Runs a job to its end, or to that of the process. */
async function runReplay(deps, job, { stop, leaseMs }) {
    await (0, replay_page_1.countReplay)(deps, job);
    let nextAtMs = performance.now();
    while (!stop.aborted) {
        const taken = await (0, replay_page_1.replayPage)(deps, job._id);
        if (taken.kind === 'ended')
            return;
        if (taken.kind === 'no budget') {
            // Another job of the account may give some back, and somebody may cancel this one: it looks again before the end.
            await deps.keep(job._id);
            await (0, sleep_1.sleep)(Math.min(taken.waitMs, leaseMs / LOOKS_PER_LEASE), stop);
            continue;
        }
        nextAtMs = (0, replay_contract_1.nextPageAt)(nextAtMs, performance.now(), taken.count, job.rate_per_second);
        await (0, sleep_1.sleep)(Math.max(0, nextAtMs - performance.now()), stop);
    }
}
//# sourceMappingURL=run-replays.js.map