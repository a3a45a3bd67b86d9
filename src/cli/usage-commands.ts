import type { Command } from 'commander';
import { listUsage } from '../keys/list-usage';
import type { CommandLine } from './command-line';

/** `everpost usage <account>` */
export function addUsageCommands(cli: Command, { add, run }: CommandLine): void {
  add(
    cli,
    'usage',
    "an account's calls by day, key and operation: those of the API together, and those of the cost estimator",
  )
    .argument('<account>', 'account id')
    .option('--days <days>', 'how many days, today included', '30')
    .action(
      run(async (deps, { days }, accountId) => {
        const records = await listUsage(deps, { accountId, days: Number(days) });
        return records.map(({ day, key_id, product, operation, calls, refused = {} }) => ({
          day,
          key_id,
          product,
          operation,
          calls,
          refused: Object.values(refused).reduce((sum, count) => sum + count, 0),
        }));
      }),
    );
}
