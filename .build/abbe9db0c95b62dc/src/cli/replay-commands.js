"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addReplayCommands = addReplayCommands;
const audit_actions_1 = require("../domain/audit-actions");
const replay_contract_1 = require("../domain/replay-contract");
const errors_1 = require("../domain/errors");
const cancel_replay_1 = require("../replays/cancel-replay");
const create_replay_1 = require("../replays/create-replay");
const list_replays_1 = require("../replays/list-replays");
const command_line_1 = require("./command-line");
const SHOWN = 100;
/** `everpost replay …`. Temporal is not needed: the installation's workers find what is written down here. */
function addReplayCommands(cli, { add, run }) {
    const replay = cli.command('replay').description('bulk replays');
    add(replay, 'recover', "resend an endpoint's failed deliveries since a time")
        .requiredOption('--endpoint <endpoint>', 'endpoint id')
        .requiredOption('--since <time>', 'for example 2026-11-21T06:00:00Z')
        .option('--until <time>', 'only until this time')
        .option('--rate <rate>', 'deliveries a second', String(replay_contract_1.DEFAULT_REPLAY_RATE))
        .action(run(recover));
    add(replay, 'list', "list an account's newest replays")
        .requiredOption('--account <account>', 'account id')
        .action(run(async (deps, { account }) => {
        const { page } = await (0, list_replays_1.listReplays)(deps, account, { limit: SHOWN });
        return page.map(presentRow);
    }));
    add(replay, 'status', 'show the progress of a replay')
        .requiredOption('--id <job>', 'job id')
        .action(run(async (deps, { id }) => presentRow(await findAny(deps, id))));
    add(replay, 'cancel', 'stop a replay: no further deliveries are started')
        .requiredOption('--id <job>', 'job id')
        .action(run(async (deps, { id }) => {
        const { account_id: accountId } = await findAny(deps, id);
        const job = await (0, cancel_replay_1.cancelReplay)(deps, accountId, id);
        await deps.audit.record({ ...audit_actions_1.BY_COMMAND_LINE, accountId, action: 'replay.cancelled', object: id });
        return presentRow(job);
    }));
}
async function recover(deps, { endpoint: endpointId, since, until, rate }) {
    const accountId = (await deps.endpoints.find(endpointId))?.account_id ?? '';
    const ratePerSecond = Number(rate);
    if (!(ratePerSecond >= 1 && ratePerSecond <= replay_contract_1.MAX_REPLAY_RATE)) {
        throw new errors_1.InvalidRequestError(`--rate must be a number from 1 to ${replay_contract_1.MAX_REPLAY_RATE}.`);
    }
    const job = await (0, create_replay_1.createReplay)(deps, { accountId, now: await deps.dispatch.now() }, {
        state: 'failed',
        endpointId: endpointId,
        completedAfter: (0, command_line_1.readTime)('--since', since),
        completedBefore: until === undefined ? undefined : (0, command_line_1.readTime)('--until', until),
        ratePerSecond,
    });
    await deps.audit.record({ ...audit_actions_1.BY_COMMAND_LINE, accountId, action: 'endpoint.recovered', object: endpointId });
    return presentRow(job);
}
/** The operator sees every account's. */
async function findAny(deps, id) {
    const job = await deps.replays.find(id);
    if (!job)
        throw new errors_1.NotFoundError('There is no replay with this id.', 'replay_not_found');
    return job;
}
function presentRow(job) {
    return {
        job_id: job._id,
        account_id: job.account_id,
        state: job.state,
        matched: job.matched,
        replayed: job.replayed,
        skipped: job.skipped,
        rate_per_second: job.rate_per_second,
        created_at: job.created_at.toISOString(),
        finished_at: job.finished_at?.toISOString() ?? null,
    };
}
//# sourceMappingURL=replay-commands.js.map