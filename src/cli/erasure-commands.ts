import type { Command } from 'commander';
import { InvalidRequestError } from '../domain/errors';
import { SEARCH_VALUE_PATTERN } from '../domain/search-values';
import { eraseEvent } from '../erasures/erase-event';
import { createErasure, erasureNotFound, listErasures } from '../erasures/erasure-jobs';
import type { ErasureJob } from '../erasures/erasure-store';
import { findAccount } from '../account-lifecycle/read-accounts';
import { createLogger } from '../platform/logger';
import { accountIdOf } from './account-id';
import type { CliDeps, CommandLine, Options } from './command-line';

const SHOWN = 100;

/** `everpost event …` and `everpost erasure …`. They work without Temporal: the installation's workers do the rest. */
export function addErasureCommands(cli: Command, { add, run }: CommandLine): void {
  const event = cli.command('event').description('single events');
  add(event, 'erase', 'erase the data of an event, and cancel what is not delivered yet')
    .requiredOption('--id <event>', 'event id')
    .action(run(eraseOne));
  const erasure = cli.command('erasure').description('erasures of all events with a search value');
  add(erasure, 'start', 'erase the data of all events of an account that have a value')
    .requiredOption('--account <account>', 'account id, or its external id')
    .requiredOption('--data <field:value>', 'a value of a search field, for example customer_id:cus_123')
    .action(run(start));
  add(erasure, 'list', "list an account's newest erasures")
    .requiredOption('--account <account>', 'account id, or its external id')
    .action(
      run(async (deps, { account }) => {
        const { page } = await listErasures(deps, await accountIdOf(deps, account!), { limit: SHOWN });
        return page.map(presentRow);
      }),
    );
  add(erasure, 'status', 'show the progress of an erasure')
    .requiredOption('--id <erasure>', 'erasure id')
    .action(
      run(async (deps, { id }) => {
        const job = await deps.erasures.find(id!);
        if (!job) throw erasureNotFound();
        return presentRow(job);
      }),
    );
}

async function eraseOne(deps: CliDeps, { id }: Options) {
  const eventId = Number(id);
  const accountId = (await deps.events.find(eventId))?.account_id ?? '';
  // Without a signal, an execution ends when it reads the record before its next attempt.
  const executions = { cancel: async () => false };
  await eraseEvent({ ...deps, executions, logger: createLogger('silent') }, accountId, eventId);
  await deps.audit.record({ ...deps.by, accountId, action: 'event.data_erased', object: String(eventId) });
  const event = await deps.events.find(eventId);
  return { id: eventId, account_id: accountId, data_erased_at: event?.data_erased_at?.toISOString() ?? null };
}

async function start(deps: CliDeps, { account, data }: Options) {
  if (!new RegExp(SEARCH_VALUE_PATTERN).test(data!)) {
    throw new InvalidRequestError('--data must be "<field>:<value>", for example customer_id:cus_123.');
  }
  const { _id: accountId, search_fields: searchFields = [] } = await findAccount(deps, account!);
  const now = await deps.dispatch.now();
  const job = await createErasure(deps, { accountId, now, searchFields }, data!);
  await deps.audit.record({ ...deps.by, accountId, action: 'erasure.created', object: job._id });
  return presentRow(job);
}

function presentRow(job: ErasureJob) {
  return {
    id: job._id,
    account_id: job.account_id,
    state: job.state,
    field: job.field,
    erased: job.erased,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
