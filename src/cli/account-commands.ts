import type { Command } from 'commander';
import { createAccount } from '../accounts/create-account';
import { presentAccount } from '../accounts/present';
import { setTier } from '../accounts/set-tier';
import type { Account } from '../accounts/store';
import { CLI_ACTOR, type AuditAction } from '../domain/audit-actions';
import type { CliDeps, CommandLine } from './command-line';

/** `everpost account …` */
export function addAccountCommands(cli: Command, { add, run }: CommandLine): void {
  const account = cli.command('account').description('accounts and their tiers');
  add(account, 'create', 'create an account')
    .requiredOption('--email <email>', 'e-mail address of its owner')
    .option('--tier <tier>', 'tier id', 'free')
    .action(
      run(async (deps, { email, tier }) => {
        const created = await createAccount(deps, { email: email!, tier: tier! });
        await note(deps, created, 'account.created');
        return presentAccount(created);
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
        const changed = await setTier(deps, { accountId: id!, tier: tier! });
        await note(deps, changed, 'account.tier_changed');
        return presentAccount(changed);
      }),
    );
}

function note(deps: CliDeps, account: Account, action: AuditAction): Promise<void> {
  const { _id: accountId, tier: detail } = account;
  return deps.audit.record({ accountId, actor: CLI_ACTOR, action, object: accountId, address: null, detail });
}
