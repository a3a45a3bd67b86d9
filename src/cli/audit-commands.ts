import type { Command } from 'commander';
import { describeChanges, exportAudit } from '../accounts/export-audit';
import type { AuditEntry, AuditFilter } from '../accounts/audit-store';
import { AUDIT_ACTIONS, BY_COMMAND_LINE, type AuditAction } from '../domain/audit-actions';
import { InvalidRequestError } from '../domain/errors';
import type { CliDeps, CommandLine, Options } from './command-line';
import { readTime } from './read-time';

/** Asks for the log of what belongs to no account. */
const NO_ACCOUNT = 'none';

/** `everpost audit …` */
export function addAuditCommands(cli: Command, { add, run }: CommandLine, print: (text: string) => void): void {
  const audit = cli.command('audit').description('who changed what');
  const filtered = (command: Command): Command =>
    command
      .requiredOption('--account <account>', 'account id, or `none` for what belongs to no account')
      .option('--actor <actor>', 'id or name of who did it')
      .option('--action <action>', 'such as endpoint.changed')
      .option('--object <object>', 'id of what it happened to')
      .option('--since <time>', 'for example 2026-11-21T06:00:00Z')
      .option('--until <time>', 'the end of that time');
  filtered(add(audit, 'list', "list an account's newest entries"))
    .option('--limit <limit>', 'how many', '100')
    .action(
      run(async (deps, options) => {
        const filter = filterOf(options);
        const entries = await deps.audit.page({ ...filter, limit: wholeNumber(options['limit']!) });
        await noteRead(deps, filter);
        return entries.map(presentRow);
      }),
    );
  filtered(audit.command('export').description('print the log as CSV, the newest entry first')).action(
    run(async (deps, options) => {
      const filter = filterOf(options);
      await noteRead(deps, filter);
      for await (const lines of exportAudit(deps, filter)) print(lines.replace(/\r\n$/, ''));
      return undefined;
    }),
  );
}

function noteRead({ audit }: CliDeps, { accountId }: AuditFilter): Promise<void> {
  return audit.record({ ...BY_COMMAND_LINE, accountId, action: 'audit.read', object: accountId });
}

function filterOf({ account, actor, action, object, since, until }: Options): AuditFilter {
  if (action !== undefined && !AUDIT_ACTIONS.includes(action as AuditAction)) {
    throw new InvalidRequestError(`There is no action "${action}". Actions: ${AUDIT_ACTIONS.join(', ')}.`);
  }
  return {
    ...{
      accountId: account === NO_ACCOUNT ? null : account!,
      actor,
      object,
      action: action as AuditAction | undefined,
    },
    ...{ after: timeOf('--since', since), before: timeOf('--until', until) },
  };
}

function timeOf(name: string, text: string | undefined): Date | undefined {
  return text === undefined ? undefined : readTime(name, text);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidRequestError('--limit must be a whole number from 1 on.');
}

function presentRow(entry: AuditEntry) {
  const { at, actor, action, object, address, detail = null } = entry;
  const changes = describeChanges(entry);
  return { at: at.toISOString(), actor: actor.name, action, object, address, detail, changes };
}
