import type { Command } from 'commander';
import { cancelDeliveriesOf } from '../deliveries/cancel-deliveries';
import { InvalidRequestError } from '../domain/errors';
import { pauseEndpoint, resumeEndpoint, type WhichEndpoint } from '../endpoints/change-endpoint';
import { maxPerSecond } from '../endpoints/option-values-schema';
import type { Endpoint } from '../stores/endpoint-store';
import { accountIdOf } from './account-id';
import type { CliDeps, CommandLine } from './command-line';
import { endpointNotFound } from '../endpoints/find-endpoints';

/** `everpost endpoint …` */
export function addEndpointCommands(cli: Command, { add, run }: CommandLine): void {
  const endpoint = cli.command('endpoint').description('destinations of deliveries');
  const addOne = (name: string, about: string): Command =>
    add(endpoint, name, about).requiredOption('--id <endpoint>', 'endpoint id');
  add(endpoint, 'list', "list an account's endpoints, newest first")
    .requiredOption('--account <account>', 'account id, or its external id')
    .action(
      run(async (deps, { account }) =>
        (await deps.endpoints.listByAccount(await accountIdOf(deps, account!))).map(presentRow),
      ),
    );
  addOne('pause', "hold an endpoint's deliveries")
    .option('--reason <text>', 'why, for the audit log')
    .action(
      run(async (deps, { id, reason }) =>
        presentRow(await pauseEndpoint(deps, { ...(await whichOf(deps, id!)), reason })),
      ),
    );
  addOne('resume', "send an endpoint's held deliveries, the oldest first")
    .option('--backlog-per-second <rate>', 'at most so many attempts a second, until nothing is held any more')
    .action(
      run(async (deps, { id, backlogPerSecond }) => {
        const rate = backlogPerSecond === undefined ? undefined : readRate(backlogPerSecond);
        return presentRow(await resumeEndpoint(deps, await whichOf(deps, id!), rate));
      }),
    );
  addOne('cancel-deliveries', "end an endpoint's unfinished deliveries").action(
    run(async (deps, { id }) => {
      const which = await whichOf(deps, id!);
      let cancelled = 0;
      for (let isComplete = false; !isComplete;) {
        const some = await cancelDeliveriesOf(deps, which);
        cancelled += some.cancelled;
        isComplete = some.complete;
      }
      const { accountId } = which;
      await deps.audit.record({ ...deps.by, accountId, action: 'endpoint.deliveries_cancelled', object: id! });
      return { endpoint_id: which.id, cancelled };
    }),
  );
}

/** The operator can change every account's endpoints. */
async function whichOf(deps: CliDeps, id: string): Promise<WhichEndpoint> {
  const found = await deps.endpoints.find(id);
  if (!found) throw endpointNotFound();
  return { ...deps.by, accountId: found.account_id, id };
}

function readRate(text: string): number {
  const { data, error } = maxPerSecond.safeParse(Number(text));
  if (data === undefined) throw new InvalidRequestError(`--backlog-per-second ${error?.issues[0]?.message}.`);
  return data;
}

function presentRow({
  _id,
  external_id: externalId,
  account_id: accountId,
  status,
  url,
  events,
  description,
}: Endpoint) {
  const names = { id: _id, external_id: externalId ?? null };
  return { ...names, account_id: accountId, status, events: events.join(' '), url, description };
}
