import type { Command } from 'commander';
import { type WhichEndpoint, pauseEndpoint, resumeEndpoint } from '../endpoints/change-endpoint';
import type { Endpoint } from '../stores/endpoint-store';
import type { CliDeps, CommandLine } from './command-line';
import { endpointNotFound } from '../endpoints/find-endpoints';

type Operation = (deps: CliDeps, which: WhichEndpoint) => Promise<Endpoint>;

const OPERATIONS: readonly { name: string; about: string; work: Operation }[] = [
  { name: 'pause', about: "hold an endpoint's deliveries", work: pauseEndpoint },
  { name: 'resume', about: "send an endpoint's held deliveries, the oldest first", work: resumeEndpoint },
];

/** `everpost endpoint …` */
export function addEndpointCommands(cli: Command, { add, run }: CommandLine): void {
  const endpoint = cli.command('endpoint').description('destinations of deliveries');
  add(endpoint, 'list', "list an account's endpoints, newest first")
    .requiredOption('--account <account>', 'account id')
    .action(run(async (deps, { account }) => (await deps.endpoints.listByAccount(account!)).map(presentRow)));
  for (const { name, about, work } of OPERATIONS) {
    add(endpoint, name, about)
      .requiredOption('--id <endpoint>', 'endpoint id')
      .action(
        run(async (deps, { id }) => {
          const found = await deps.endpoints.find(id!);
          if (!found) throw endpointNotFound();
          return presentRow(await work(deps, { ...deps.by, accountId: found.account_id, id: id! }));
        }),
      );
  }
}

function presentRow({ _id, account_id: accountId, status, url, events, description }: Endpoint) {
  return { id: _id, account_id: accountId, status, events: events.join(' '), url, description };
}
