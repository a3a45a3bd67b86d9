import type { Command } from 'commander';
import { BY_COMMAND_LINE } from '../domain/audit-actions';
import { createKey } from '../keys/create-key';
import { listKeys } from '../keys/list-keys';
import { presentKey } from '../keys/present';
import { revokeKey } from '../keys/revoke-key';
import type { CommandLine } from './command-line';

/** `everpost key …` */
export function addKeyCommands(cli: Command, { add, run }: CommandLine): void {
  const key = cli.command('key').description('API keys');
  add(key, 'create', 'create a key; it is shown once')
    .requiredOption('--account <account>', 'account id')
    .requiredOption('--product <product>', 'weh, sec, pii, dep, rat or api')
    .requiredOption('--label <label>', 'what the key is for')
    .action(
      run(async (deps, { account: accountId, product, label }) => {
        const created = await createKey(
          deps,
          { accountId: accountId!, product: product!, label: label! },
          BY_COMMAND_LINE,
        );
        const { record } = created;
        return {
          id: record._id,
          key: created.key,
          product: record.product,
          label: record.label,
          account_id: record.account_id,
        };
      }),
    );
  add(key, 'list', "list an account's keys, masked")
    .requiredOption('--account <account>', 'account id')
    .action(run(async (deps, { account: accountId }) => (await listKeys(deps, accountId!)).map(presentKey)));
  add(key, 'revoke', 'revoke a key for good')
    .requiredOption('--id <key>', 'key id (not the key itself)')
    .action(
      run(async (deps, { id }) => {
        const revoked = await revokeKey(deps, { id: id! }, BY_COMMAND_LINE);
        return presentKey(revoked);
      }),
    );
}
