import type { Command } from 'commander';
import { DEFAULT_REPLAY_RATE, MAX_REPLAY_RATE } from '../domain/replay-contract';
import { InvalidRequestError } from '../domain/errors';
import { cancelReplay, changeReplay, createReplay, listReplays } from '../replays/replay-jobs';
import type { ReplayChange, ReplayJob } from '../replays/replay-store';
import { accountIdOf } from './account-id';
import { readTime, type CliDeps, type CommandLine, type Options } from './command-line';
import { replayNotFound } from '../replays/replay-jobs';

const SHOWN = 100;

/** `everpost replay …`. Works without Temporal: the installation's workers find the stored job. */
export function addReplayCommands(cli: Command, { add, run }: CommandLine): void {
  const replay = cli.command('replay').description('bulk replays');
  add(replay, 'recover', "resend an endpoint's failed deliveries since a time")
    .requiredOption('--endpoint <endpoint>', 'endpoint id')
    .requiredOption('--since <time>', 'for example 2026-11-21T06:00:00Z')
    .option('--until <time>', 'only until this time')
    .option('--rate <rate>', 'deliveries a second', String(DEFAULT_REPLAY_RATE))
    .action(run(recover));
  add(replay, 'list', "list an account's newest replays")
    .requiredOption('--account <account>', 'account id, or its external id')
    .action(
      run(async (deps, { account }) => {
        const { page } = await listReplays(deps, await accountIdOf(deps, account!), { limit: SHOWN });
        return page.map(presentRow);
      }),
    );
  add(replay, 'status', 'show the progress of a replay')
    .requiredOption('--id <job>', 'job id')
    .action(run(async (deps, { id }) => presentRow(await findAny(deps, id!))));
  const addChange = (name: string, about: string, toWish: (options: Options) => Partial<ReplayChange>): Command =>
    add(replay, name, about)
      .requiredOption('--id <job>', 'job id')
      .action(
        run(async (deps, options) => {
          const { _id: id, account_id: accountId } = await findAny(deps, options['id']!);
          return presentRow(await changeReplay(deps, { ...deps.by, accountId, id }, toWish(options)));
        }),
      );
  addChange('pause', 'start nothing more until it is resumed', () => ({ paused: true }));
  addChange('resume', 'let a paused replay go on', () => ({ paused: false }));
  addChange('set-rate', 'change how fast it starts deliveries', ({ rate }) => ({
    rate_per_second: readRate(rate!),
  })).requiredOption('--rate <rate>', 'deliveries a second');
  add(replay, 'cancel', 'stop a replay: no further deliveries are started')
    .requiredOption('--id <job>', 'job id')
    .action(
      run(async (deps, { id }) => {
        const { account_id: accountId } = await findAny(deps, id!);
        const job = await cancelReplay(deps, accountId, id!);
        await deps.audit.record({ ...deps.by, accountId, action: 'replay.cancelled', object: id! });
        return presentRow(job);
      }),
    );
}

async function recover(deps: CliDeps, { endpoint: endpointId, since, until, rate }: Options) {
  const accountId = (await deps.endpoints.find(endpointId!))?.account_id ?? '';
  const ratePerSecond = readRate(rate!);
  const job = await createReplay(
    deps,
    { accountId, now: await deps.dispatch.now() },
    {
      state: 'failed',
      endpointId: endpointId!,
      completedAfter: readTime('--since', since!),
      completedBefore: until === undefined ? undefined : readTime('--until', until),
      ratePerSecond,
    },
  );
  await deps.audit.record({ ...deps.by, accountId, action: 'endpoint.recovered', object: endpointId! });
  return presentRow(job);
}

function readRate(text: string): number {
  const rate = Number(text);
  if (rate >= 1 && rate <= MAX_REPLAY_RATE) return rate;
  throw new InvalidRequestError(`--rate must be a number from 1 to ${MAX_REPLAY_RATE}.`);
}

/** The operator can read every account's replays. */
async function findAny(deps: CliDeps, id: string): Promise<ReplayJob> {
  const job = await deps.replays.find(id);
  if (!job) throw replayNotFound();
  return job;
}

function presentRow(job: ReplayJob) {
  return {
    job_id: job._id,
    account_id: job.account_id,
    state: job.state,
    paused: job.state === 'running' && job.paused ? 'yes' : 'no',
    matched: job.matched,
    replayed: job.replayed,
    skipped: job.skipped,
    at_run_limit: job.at_run_limit ?? 0,
    rate_per_second: job.rate_per_second,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
