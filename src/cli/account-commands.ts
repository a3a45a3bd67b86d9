import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { createAccount, setTier } from '../accounts/manage-accounts';
import { beginDeletion, continueDeletion, UNDER_WAY_MS } from '../account-lifecycle/delete-account';
import { createDeletionStore } from '../account-lifecycle/deletion-store';
import { presentAccount } from '../accounts/present';
import { resumeAccount, suspendAccount } from '../account-lifecycle/suspend-account';
import { createSuspensionStore } from '../account-lifecycle/suspension-store';
import { BY_COMMAND_LINE } from '../domain/audit-actions';
import { createReplayStore } from '../replays/replay-store';
import type { CliDeps, CommandLine } from './command-line';

/** `everpost account …` */
export function addAccountCommands(cli: Command, { add, run }: CommandLine): void {
  const account = cli.command('account').description('accounts and their tiers');
  add(account, 'create', 'create an account')
    .requiredOption('--email <email>', 'e-mail address of its owner')
    .option('--tier <tier>', 'tier id', 'free')
    .action(
      run(async (deps, { email, tier }) => {
        return presentAccount(await createAccount(deps, { email: email!, tier: tier! }, BY_COMMAND_LINE));
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
        return presentAccount(await setTier(deps, { accountId: id!, tier: tier! }, BY_COMMAND_LINE));
      }),
    );
  add(account, 'suspend', 'keep an account from doing anything; what is pending is held')
    .requiredOption('--id <account>', 'account id')
    .action(run(async (deps, { id }) => presentAccount(await suspendAccount(partsOf(deps), id!, BY_COMMAND_LINE))));
  add(account, 'resume', 'take a suspension back; held deliveries go on')
    .requiredOption('--id <account>', 'account id')
    .action(run(async (deps, { id }) => presentAccount(await resumeAccount(partsOf(deps), id!, BY_COMMAND_LINE))));
  add(account, 'delete', 'suspend an account and remove all that is its own, for good; run again, it goes on')
    .requiredOption('--id <account>', 'account id')
    .action(
      run(async (deps, { id }) => {
        const parts = partsOf(deps);
        const deleted = await beginDeletion(parts, id!, BY_COMMAND_LINE);
        for (;;) {
          const { againInMs } = await continueDeletion(parts, id!);
          if (againInMs === 0) return { ...presentAccount(deleted), state: 'deleted' };
          await wait(againInMs);
        }
      }),
    );
}

function partsOf({ mongo: { db }, config, accounts }: CliDeps) {
  const replays = createReplayStore(db, config.retentionMs);
  return {
    accounts,
    suspensions: createSuspensionStore(db, replays),
    deletions: createDeletionStore(db),
    underWayMs: UNDER_WAY_MS,
  };
}
