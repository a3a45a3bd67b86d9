import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ConfigError } from '../config';
import {
  readBuiltInCatalog,
  importCatalog,
  replaceCatalog,
  type CatalogReplacement,
} from '../estimator/import-catalog';
import type { CommandLine, Options } from './command-line';
import type { Output } from './table';

/** `everpost catalog …` */
export function addCatalogCommands(cli: Command, { add, run }: CommandLine): void {
  const catalog = cli.command('catalog').description('prices of the cost estimator');
  add(catalog, 'show', 'show which catalog is in use').action(
    run(async ({ catalogs }) => {
      const current = await catalogs.read();
      if (!current) return [];
      const { origin, revision, rows, changed_at: changedAt } = current;
      const version = origin.source === 'built-in' ? origin.version : null;
      return { source: origin.source, version, rows: rows.length, revision, changed_at: changedAt.toISOString() };
    }),
  );
  add(catalog, 'import', 'use your own prices from a CSV or JSON file: all rows or none')
    .argument('<file>', 'CSV with a line of names, or JSON')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(
      run(async (deps, options, file) => {
        const content = await readFile(file, 'utf8').catch((error: unknown) => {
          throw new ConfigError(`The file can't be read: ${(error as Error).message}.`);
        });
        return report(options, await importCatalog(deps, { content, dryRun: isDry(options), by: deps.by }));
      }),
    );
  add(catalog, 'reset', 'return to the built-in prices')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(
      run(async (deps, options) => {
        const replacement = { catalog: readBuiltInCatalog(), dryRun: isDry(options), by: deps.by };
        return report(options, await replaceCatalog(deps, replacement));
      }),
    );
}

function isDry(options: Options): boolean {
  return 'dryRun' in options;
}

/** A dry run prints each change; a real import prints their number. */
function report(options: Options, { catalog, changes }: CatalogReplacement): Output {
  if (isDry(options)) return changes.map((change) => ({ ...change }));
  const count = (kind: string): number => changes.filter(({ change }) => change === kind).length;
  const { origin, rows } = catalog;
  return {
    source: origin.source,
    rows: rows.length,
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    new_defaults: count('default'),
  };
}
