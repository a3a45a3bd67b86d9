import type { Command } from 'commander';
import { CLI_ACTOR } from '../domain/audit-actions';
import { DEFAULT_REPLAY_RATE, MAX_REPLAY_RATE } from '../domain/replay-contract';
import { InvalidRequestError, NotFoundError } from '../domain/errors';
import { createDispatchStore } from '../dispatch/dispatch-store';
import { createEndpointStore } from '../record/endpoint-store';
import { cancelReplay } from '../replays/cancel-replay';
import { createReplay } from '../replays/create-replay';
import { listReplays } from '../replays/list-replays';
import { createReplayStore, type ReplayJob } from '../replays/replay-store';
import { type CliDeps, type CommandLine, readTime } from './command-line';

const SHOWN = 100;

/** `everpost replay …`. Temporal is not needed: the installation's workers find what is written down here. */
export function addReplayCommands(cli: Command, { add, run }: CommandLine): void {
  const replay = cli.command('replay').description('bulk replays');
  add(replay, 'recover', 'send again what failed for good at an endpoint since a time')
    .requiredOption('--endpoint <endpoint>', 'endpoint id')
    .requiredOption('--since <time>', 'for example 2026-11-21T06:00:00Z')
    .option('--until <time>', 'the end of that time')
    .option('--rate <rate>', 'deliveries a second', String(DEFAULT_REPLAY_RATE))
    .action(run(recover));
  add(replay, 'list', "list an account's newest replays")
    .requiredOption('--account <account>', 'account id')
    .action(
      run(async (deps, { account }) => {
        const { page } = await listReplays(partsOf(deps), account!, { limit: SHOWN });
        return page.map(presentRow);
      }),
    );
  add(replay, 'status', 'show how far a replay is')
    .requiredOption('--id <job>', 'job id')
    .action(run(async (deps, { id }) => presentRow(await findAny(deps, id!))));
  add(replay, 'cancel', 'begin no further delivery of a replay')
    .requiredOption('--id <job>', 'job id')
    .action(
      run(async (deps, { id }) => {
        const { account_id: accountId } = await findAny(deps, id!);
        const job = await cancelReplay(partsOf(deps), accountId, id!);
        await deps.audit.record({ ...BY_OPERATOR, accountId, action: 'replay.cancelled', object: id! });
        return presentRow(job);
      }),
    );
}

const BY_OPERATOR = { actor: CLI_ACTOR, address: null } as const;

type Options = Parameters<Parameters<CommandLine['run']>[0]>[1];

async function recover(deps: CliDeps, { endpoint: endpointId, since, until, rate }: Options) {
  const parts = partsOf(deps);
  const accountId = (await parts.endpoints.find(endpointId!))?.account_id ?? '';
  const ratePerSecond = Number(rate);
  if (!(ratePerSecond >= 1 && ratePerSecond <= MAX_REPLAY_RATE)) {
    throw new InvalidRequestError(`--rate must be a number from 1 to ${MAX_REPLAY_RATE}.`);
  }
  const job = await createReplay(
    parts,
    { accountId, now: await createDispatchStore(deps.mongo.db).now() },
    {
      state: 'failed',
      endpointId: endpointId!,
      completedAfter: readTime('--since', since!),
      completedBefore: until === undefined ? undefined : readTime('--until', until),
      ratePerSecond,
    },
  );
  await deps.audit.record({ ...BY_OPERATOR, accountId, action: 'endpoint.recovered', object: endpointId! });
  return presentRow(job);
}

function partsOf({ mongo: { db }, config }: CliDeps) {
  return {
    replays: createReplayStore(db, config.retentionMs),
    endpoints: createEndpointStore(db),
  };
}

/** The operator sees every account's. */
async function findAny(deps: CliDeps, id: string): Promise<ReplayJob> {
  const job = await partsOf(deps).replays.find(id);
  if (!job) throw new NotFoundError('There is no replay with this id.', 'replay_not_found');
  return job;
}

function presentRow(job: ReplayJob) {
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
