import type { Command } from 'commander';
import { ConfigError } from '../config';
import { checkSecrets } from '../endpoints/check-secrets';
import { countKeys, resealSecrets, type KeyUse } from '../endpoints/reseal-secrets';
import { createSecretBox } from '../platform/secret-box';
import type { CliDeps, CommandLine } from './command-line';
import type { Output } from './table';
import { keysOfDataDir } from './data-dir';

/** `everpost secrets …` */
export function addSecretCommands(cli: Command, { add, run }: CommandLine): void {
  const secrets = cli.command('secrets').description('what is sealed with ENCRYPTION_KEY');
  add(
    secrets,
    'check',
    'say what is sealed with which key, and fail if something can not be opened; changes nothing',
  ).action(
    run(async (deps) =>
      (await checkSecrets(await partsOf(deps))).map(({ keyId, endpoints, accounts }, index) => ({
        key_id: keyId,
        endpoints,
        accounts,
        use: useOf(index, endpoints + accounts),
      })),
    ),
  );
  add(secrets, 'reseal', 'seal everything with the first key of ENCRYPTION_KEY, so that the others can be retired')
    .option('--dry-run', 'only count what is sealed with which key')
    .action(
      run(async (deps, options) => {
        const parts = await partsOf(deps);
        if ('dryRun' in options) return report(await countKeys(parts));
        // Before the first change, so that every change has an entry, even after a crash.
        const [detail] = parts.secretBox.keyIds;
        await deps.audit.record({
          ...deps.by,
          accountId: null,
          action: 'secrets.resealed',
          object: null,
          detail,
        });
        return report(await resealSecrets(parts));
      }),
    );
}

async function partsOf({ config, sealed, dataKeys }: CliDeps) {
  const keys = await keysOfDataDir(config.dataDir, config.encryptionKeys);
  if (keys.length === 0) throw new ConfigError('ENCRYPTION_KEY is not set: give it the keys that the processes have.');
  return { sealed, dataKeys, secretBox: createSecretBox(keys) };
}

function report(keys: readonly KeyUse[]): Output {
  return keys.map(({ keyId, resealed, values }, index) => ({
    key_id: keyId,
    values,
    resealed,
    use: useOf(index, values),
  }));
}

/** What can be done with a key, if everything could be opened. */
function useOf(index: number, values: number): string {
  if (index === 0) return 'seals';
  return values === 0 ? 'may be retired' : 'in use';
}
