import type { Command } from 'commander';
import { SCOPE_NAMES } from '../domain/scopes';
import { createKey, listKeys, revokeKey } from '../keys/manage-keys';
import { presentKey } from '../keys/present';
import { accountIdOf } from './account-id';
import { readRestrictions, type CommandLine } from './command-line';

/** `everpost key …` */
export function addKeyCommands(cli: Command, { add, run }: CommandLine): void {
  const key = cli.command('key').description('API keys');
  add(key, 'create', 'create a key; it is shown once')
    .requiredOption('--account <account>', 'account id, or its external id')
    .requiredOption('--product <product>', 'weh, sec, pii, dep, rat or api')
    .requiredOption('--label <label>', 'what the key is for')
    .option('--scopes <scopes>', `what it may do, separated by commas: ${SCOPE_NAMES.join(', ')} (default: all)`)
    .option('--expires <duration>', 'how long it is valid, such as 12h or 90d (default: forever)')
    .action(
      run(async (deps, options) => {
        const accountId = await accountIdOf(deps, options['account']!);
        const { product, label } = options;
        const input = { accountId, product: product!, label: label!, ...readRestrictions(options) };
        const { record, key: secret } = await createKey(deps, input, deps.by);
        const { id, product: prefix, label: name, account_id, scopes, expires_at } = presentKey(record);
        return { id, key: secret, product: prefix, label: name, account_id, scopes, expires_at };
      }),
    );
  add(key, 'list', "list an account's keys, masked")
    .requiredOption('--account <account>', 'account id, or its external id')
    .action(
      run(async (deps, { account }) => (await listKeys(deps, await accountIdOf(deps, account!))).map(presentKey)),
    );
  add(key, 'revoke', 'revoke a key permanently')
    .requiredOption('--id <key>', 'key id (not the key itself)')
    .action(
      run(async (deps, { id }) => {
        const revoked = await revokeKey(deps, { id: id! }, deps.by);
        return presentKey(revoked);
      }),
    );
}
