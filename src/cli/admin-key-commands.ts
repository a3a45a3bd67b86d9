import type { Command } from 'commander';
import { MANAGEMENT_SCOPE_NAMES } from '../domain/scopes';
import { createManagementKey, revokeManagementKey } from '../keys/manage-management-keys';
import { presentManagementKey } from '../keys/present';
import { readRestrictions, type CommandLine } from './command-line';

const SCOPES = `what it may do, separated by commas: ${MANAGEMENT_SCOPE_NAMES.join(', ')} (default: all)`;

/** `everpost admin-key …` */
export function addAdminKeyCommands(cli: Command, { add, run }: CommandLine): void {
  const key = cli.command('admin-key').description('management keys, which act for any account of the installation');
  add(key, 'create', 'create a management key; it is shown once')
    .requiredOption('--label <label>', 'what the key is for')
    .option('--scopes <scopes>', SCOPES)
    .option('--expires <duration>', 'how long it is valid, such as 12h or 90d (default: forever)')
    .action(
      run(async (deps, options) => {
        const input = { label: options['label']!, ...readRestrictions(options) };
        const { record, key: secret } = await createManagementKey(deps, input, deps.by);
        const { id, label, scopes, expires_at } = presentManagementKey(record);
        return { id, key: secret, label, scopes, expires_at };
      }),
    );
  add(key, 'list', 'list the newest 1,000 management keys, masked').action(
    run(async ({ managementKeys }) => (await managementKeys.list()).map(presentManagementKey)),
  );
  add(key, 'revoke', 'revoke a management key permanently')
    .requiredOption('--id <key>', 'key id (not the key itself)')
    .action(run(async (deps, { id }) => presentManagementKey(await revokeManagementKey(deps, id!, deps.by))));
}
