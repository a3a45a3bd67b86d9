import type { Command } from 'commander';
import { ACCOUNT_STATUSES, type AccountStatus } from '../accounts/account-store';
import { createAccount, setTier } from '../accounts/manage-accounts';
import { presentAccount } from '../accounts/present';
import { beginDeletion, continueDeletion } from '../account-lifecycle/delete-account';
import { presentAccount as presentInFull } from '../account-lifecycle/present';
import { findAccount, listAccountsOf } from '../account-lifecycle/read-accounts';
import { resumeAccount, suspendAccount } from '../account-lifecycle/suspend-account';
import { InvalidRequestError } from '../domain/errors';
import { sleep } from '../platform/sleep';
import { accountIdOf } from './account-id';
import { addPutAccount } from './put-account-command';
import type { CliDeps, CommandLine } from './command-line';
import type { Pages } from './table';

/** `everpost account …` */
export function addAccountCommands(cli: Command, commandLine: CommandLine): void {
  const { add, run } = commandLine;
  const account = cli.command('account').description('accounts and their tiers');
  const addOne = (name: string, about: string): Command =>
    add(account, name, about).requiredOption('--id <account>', 'account id (acc_…), or its external id');
  add(account, 'create', 'create an account')
    .requiredOption('--email <email>', 'e-mail address of its owner')
    .option('--tier <tier>', 'tier id', 'free')
    .action(
      run(async (deps, { email, tier }) => {
        return presentAccount(await createAccount(deps, { email: email!, tier: tier! }, deps.by));
      }),
    );
  addPutAccount(account, commandLine);
  add(account, 'list', 'list all accounts, newest first')
    .option('--status <status>', `only accounts that are ${ACCOUNT_STATUSES.join(', ')}`)
    .action(run((deps, { status }) => Promise.resolve(pagesOf(deps, readStatus(status)))));
  addOne('show', 'show an account with its own limits and metadata').action(
    run(async (deps, { id }) => presentInFull(await findAccount(deps, id!))),
  );
  addOne('set-tier', 'move an account to another tier')
    .requiredOption('--tier <tier>', 'tier id')
    .action(
      run(async (deps, { id, tier }) => {
        const accountId = await accountIdOf(deps, id!);
        return presentAccount(await setTier(deps, { accountId, tier: tier! }, deps.by));
      }),
    );
  addOne('suspend', 'suspend an account: its keys stop working, and pending deliveries are held').action(
    run(async (deps, { id }) => presentAccount(await suspendAccount(deps, await accountIdOf(deps, id!), deps.by))),
  );
  addOne('resume', 'lift a suspension: held deliveries are sent').action(
    run(async (deps, { id }) => presentAccount(await resumeAccount(deps, await accountIdOf(deps, id!), deps.by))),
  );
  addOne(
    'delete',
    'suspend an account and permanently delete everything it owns; run it again if it was interrupted',
  ).action(
    run(async (deps, { id }) => {
      const deleted = await beginDeletion(deps, await accountIdOf(deps, id!), deps.by);
      for (;;) {
        const { againInMs } = await continueDeletion(deps, deleted._id);
        if (againInMs === 0) return { ...presentAccount(deleted), status: 'deleted' };
        await sleep(againInMs);
      }
    }),
  );
}

const PAGE = 500;

/** A platform can have more accounts than one read should return. */
async function* pagesOf(deps: CliDeps, status: AccountStatus | undefined): Pages {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { page, nextCursor } = await listAccountsOf(deps, status, { limit: PAGE, cursor });
    yield page.map(presentAccount);
    cursor = nextCursor;
  }
}

function readStatus(text: string | undefined): AccountStatus | undefined {
  if (text === undefined || ACCOUNT_STATUSES.includes(text as AccountStatus)) return text as AccountStatus | undefined;
  throw new InvalidRequestError(`There is no status "${text}". Statuses: ${ACCOUNT_STATUSES.join(', ')}.`);
}
