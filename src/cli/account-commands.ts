import type { Command } from 'commander';
import { createAccount, setTier } from '../accounts/manage-accounts';
import { beginDeletion, continueDeletion } from '../account-lifecycle/delete-account';
import { presentAccount } from '../accounts/present';
import { resumeAccount, suspendAccount } from '../account-lifecycle/suspend-account';
import { sleep } from '../platform/sleep';
import type { CommandLine } from './command-line';

/** `everpost account …` */
export function addAccountCommands(cli: Command, { add, run }: CommandLine): void {
  const account = cli.command('account').description('accounts and their tiers');
  add(account, 'create', 'create an account')
    .requiredOption('--email <email>', 'e-mail address of its owner')
    .option('--tier <tier>', 'tier id', 'free')
    .action(
      run(async (deps, { email, tier }) => {
        return presentAccount(await createAccount(deps, { email: email!, tier: tier! }, deps.by));
      }),
    );
  add(account, 'list', 'list all accounts').action(
    run(async (deps) => (await deps.accounts.list()).map(presentAccount)),
  );
  add(account, 'set-tier', 'move an account to another tier')
    .requiredOption('--id <account>', 'account id')
    .requiredOption('--tier <tier>', 'tier id')
    .action(
      run(async (deps, { id, tier }) => {
        return presentAccount(await setTier(deps, { accountId: id!, tier: tier! }, deps.by));
      }),
    );
  add(account, 'suspend', 'suspend an account: its keys stop working, and pending deliveries are held')
    .requiredOption('--id <account>', 'account id')
    .action(run(async (deps, { id }) => presentAccount(await suspendAccount(deps, id!, deps.by))));
  add(account, 'resume', 'lift a suspension: held deliveries are sent')
    .requiredOption('--id <account>', 'account id')
    .action(run(async (deps, { id }) => presentAccount(await resumeAccount(deps, id!, deps.by))));
  add(
    account,
    'delete',
    'suspend an account and permanently delete everything it owns; run it again if it was interrupted',
  )
    .requiredOption('--id <account>', 'account id')
    .action(
      run(async (deps, { id }) => {
        const deleted = await beginDeletion(deps, id!, deps.by);
        for (;;) {
          const { againInMs } = await continueDeletion(deps, id!);
          if (againInMs === 0) return { ...presentAccount(deleted), status: 'deleted' };
          await sleep(againInMs);
        }
      }),
    );
}
