import type { Command } from 'commander';
import type { z } from 'zod';
import { InvalidRequestError } from '../domain/errors';
import { listUsage } from '../keys/list-usage';
import { tableOf } from '../reports/export-report';
import { reportDeliveries } from '../reports/report-deliveries';
import { reportQuery } from '../reports/schema';
import { findAccount } from '../account-lifecycle/read-accounts';
import { accountIdOf } from './account-id';
import type { CliDeps, CommandLine, Options } from './command-line';

/** `everpost usage <account>`, `everpost report <account>` */
export function addUsageCommands(cli: Command, { add, run }: CommandLine): void {
  add(
    cli,
    'usage',
    "an account's calls by day, key and operation: those of the API together, and those of the cost estimator",
  )
    .argument('<account>', 'account id, or its external id')
    .option('--days <days>', 'how many days, today included', '30')
    .action(
      run(async (deps, { days }, account) => {
        const accountId = await accountIdOf(deps, account);
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
  add(cli, 'report', "the results of an account's deliveries in a month, in UTC")
    .argument('<account>', 'account id, or its external id')
    .option('--month <month>', 'such as 2026-11; the running month by default')
    .option('--by <rows>', 'endpoint, type, key or day', 'endpoint')
    .action(run(reportRows));
}

async function reportRows(deps: CliDeps, { month, by }: Options, account: string) {
  const query = reportQuery.safeParse({ month, by });
  if (!query.success) {
    const [{ path, message }] = query.error.issues as [z.core.$ZodIssue];
    throw new InvalidRequestError(`The option --${path.join('.')} ${message}.`, 'invalid_request');
  }
  const { _id: accountId, tier: id } = await findAccount(deps, account);
  const tier = deps.tiers.get(id) ?? deps.tiers.get('free')!;
  const limiter = { read: () => Promise.resolve({ now: new Date(deps.clock()), tier, quotaUsed: 0 }) };
  const report = await reportDeliveries({ ...deps, limiter }, accountId, query.data);
  return tableOf(report).map(({ time_to_delivered_ms: time, ...row }) => ({
    ...row,
    p50_ms: time?.p50 ?? null,
    p95_ms: time?.p95 ?? null,
  }));
}
