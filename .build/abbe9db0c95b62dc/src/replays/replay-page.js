"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.countReplay = countReplay;
exports.replayPage = replayPage;
const replay_contract_1 = require("../domain/replay-contract");
const in_parallel_1 = require("../platform/in-parallel");
const COUNT_PAGE = 5_000;
/** So many are begun with one write and then started, before the job is looked at again. */
const CHUNK = 50;
const STARTS_IN_FLIGHT = 16;
/** Counts what a job will replay, unless that is known. May be repeated. */
async function countReplay(deps, job) {
    if (job.matched !== null)
        return;
    let counted = 0;
    for (let from; from !== null;) {
        const page = await deps.deliveryLists.page(filterOf(job), { order: 'oldest first', limit: COUNT_PAGE, from });
        counted += page.deliveries.length;
        from = page.next;
        if (!(await deps.keep(job._id)))
            return;
    }
    await deps.replays.setMatched(job._id, counted);
}
/**
 * Replays one page; a page that was begun and not finished first. May be repeated, and run by two processes at once.
 *
 * @throws Error when Temporal takes hardly any starts: the page is to be done again, later
 */
async function replayPage(deps, jobId) {
    const job = await takePage(deps, jobId);
    if ('kind' in job)
        return job;
    const result = await replay(deps, job, job.page);
    await deps.replays.endPage(job, result);
    return { kind: 'done', count: result.replayed + result.skipped };
}
/** The job's deliveries: what was finished when it was created. What it makes fail again is none of them. */
function filterOf({ account_id: accountId, filter, created_at: createdAt }) {
    const { endpoint_id: endpointId, type, after, before, completed_after: completedFrom } = filter;
    const { completed_before: completedBefore } = filter;
    return {
        accountId,
        endpointId: endpointId ?? undefined,
        states: [filter.state],
        type: type ?? undefined,
        after: after ?? undefined,
        before: before ?? undefined,
        completedFrom: completedFrom ?? undefined,
        // `completedTo` is inside of its range, and `completed_before` is not.
        completedTo: completedBefore && completedBefore <= createdAt ? new Date(completedBefore.getTime() - 1) : createdAt,
    };
}
/**
 * The page to be replayed: the one that was begun, or the next one. A page is counted in the account's budget before it
 * is written down, once, with what of it is skipped later.
 */
async function takePage(deps, jobId) {
    for (;;) {
        const job = await deps.replays.find(jobId);
        // One that was begun is counted to the end, whatever became of the job.
        if (job?.page)
            return job;
        if (job?.state !== 'running')
            return { kind: 'ended' };
        if (job.is_exhausted) {
            await deps.replays.end(jobId, 'completed');
            return { kind: 'ended' };
        }
        const { account_id: accountId } = job;
        const { granted: limit, nextInMs } = await deps.budget.takeForReplay(accountId, (0, replay_contract_1.replayPageSize)(job.rate_per_second));
        if (limit === 0)
            return { kind: 'no budget', waitMs: nextInMs };
        const from = job.position ?? undefined;
        const { deliveries, next } = await deps.deliveryLists.page(filterOf(job), { order: 'oldest first', limit, from });
        const isBegun = await deps.replays.beginPage(job, { deliveries: deliveries.map(refOf), next });
        deps.budget.giveBack(accountId, isBegun ? limit - deliveries.length : limit);
    }
}
async function replay(deps, job, { deliveries }) {
    const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
    const endpoints = new Set((await deps.endpoints.findMany(endpointIds)).map(({ _id }) => _id));
    const possible = deliveries.filter(({ endpointId }) => endpoints.has(endpointId));
    let replayed = 0;
    for (let at = 0; at < possible.length; at += CHUNK) {
        const chunk = possible.slice(at, at + CHUNK);
        if (await deps.keep(job._id))
            await deps.deliveries.replayAll(chunk, job._id);
        const runs = await deps.deliveries.findReplayed(chunk, job._id);
        replayed += runs.length;
        await startAll(deps, runs);
    }
    return { replayed, skipped: deliveries.length - replayed };
}
/** Starts what is not known to be started. What does not start is left to the sweeper: nothing of it holds the job up. */
async function startAll({ startRun }, runs) {
    // One that is finished was started by a call whose answer got lost.
    const due = runs.filter(({ destination }) => destination.dispatch === 'due');
    const started = await (0, in_parallel_1.inParallel)(due, STARTS_IN_FLIGHT, (run) => startRun(run).then(() => true));
    const failed = due.length - started;
    if (failed > 1 && failed > due.length / 2) {
        throw new Error(`${failed} of ${due.length} replayed deliveries could not be started`);
    }
}
function refOf({ event, destination }) {
    return { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run };
}
//# sourceMappingURL=replay-page.js.map