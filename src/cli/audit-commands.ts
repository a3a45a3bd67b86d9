import { Option, type Command } from 'commander';
import { accountOfLog, describeChanges, exportAudit, exportAuditLines, noteRead } from '../accounts/read-audit';
import type { AuditEntry, AuditFilter } from '../accounts/audit-store';
import { AUDIT_ACTIONS, type AuditAction } from '../domain/audit-actions';
import { InvalidRequestError, UnprocessableError } from '../domain/errors';
import { verifyAudit } from '../accounts/verify-audit';
import { accountIdOf } from './account-id';
import { readTime, type CliDeps, type CommandLine, type Options } from './command-line';
import type { Pages } from './table';

/** `everpost audit …` */
export function addAuditCommands(cli: Command, { add, run }: CommandLine, print: (text: string) => void): void {
  const audit = cli.command('audit').description('who changed what');
  const filtered = (command: Command): Command =>
    command
      .requiredOption(
        '--account <account>',
        'account id or external id, or `none` for entries that belong to no account',
      )
      .option('--actor <actor>', 'id or name of who did it')
      .option('--action <action>', 'such as endpoint.changed')
      .option('--object <object>', 'id of what it happened to')
      .option('--since <time>', 'only from this time, for example 2026-11-21T06:00:00Z')
      .option('--until <time>', 'only until this time');
  filtered(add(audit, 'list', "list an account's newest entries"))
    .option('--limit <limit>', 'how many', '100')
    .action(
      run(async (deps, options) => {
        const filter = await filterOf(deps, options);
        const entries = await deps.audit.page(filter, wholeNumber(options['limit']!));
        await noteRead(deps, filter.accountId, deps.by);
        return entries.map(presentRow);
      }),
    );
  filtered(audit.command('export').description('print the log as CSV or JSON lines, the newest entry first'))
    .addOption(new Option('--format <format>', 'csv or jsonl').choices(['csv', 'jsonl']).default('csv'))
    .action(
      run(async (deps, options) => {
        const filter = await filterOf(deps, options);
        await noteRead(deps, filter.accountId, deps.by);
        const pieces = options['format'] === 'jsonl' ? exportAuditLines(deps, filter) : exportAudit(deps, filter);
        for await (const lines of pieces) print(lines.replace(/\r?\n$/, ''));
        return undefined;
      }),
    );
  add(audit, 'verify', 'check that no entry of any log was changed, removed or added').action(
    run((deps) => Promise.resolve(verifiedLogs(deps))),
  );
}

/** @throws UnprocessableError at the end if a log was changed */
async function* verifiedLogs(deps: CliDeps): Pages {
  const problems: string[] = [];
  for await (const { problem, ...log } of verifyAudit(deps)) {
    if (problem !== null) problems.push(`${log.log}: ${problem}`);
    yield [{ ...log, problem }];
  }
  if (problems.length > 0) {
    const what = `The audit log is not as it was written.\n${problems.join('\n')}`;
    throw new UnprocessableError(what, 'audit_log_changed');
  }
}

async function filterOf(
  deps: CliDeps,
  { account, actor, action, object, since, until }: Options,
): Promise<AuditFilter> {
  if (action !== undefined && !AUDIT_ACTIONS.includes(action as AuditAction)) {
    throw new InvalidRequestError(`There is no action "${action}". Actions: ${AUDIT_ACTIONS.join(', ')}.`);
  }
  const named = accountOfLog(account!);
  return {
    accountId: named === null ? null : await accountIdOf(deps, named),
    actor,
    object,
    action: action as AuditAction | undefined,
    after: since === undefined ? undefined : readTime('--since', since),
    before: until === undefined ? undefined : readTime('--until', until),
  };
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidRequestError('--limit must be a whole number of at least 1.');
}

function presentRow(entry: AuditEntry) {
  const { at, actor, action, object, address, detail = null } = entry;
  const changes = describeChanges(entry);
  // A key's label is free text: only type and id say who it was.
  const who = { actor_type: actor.type, actor: actor.name, actor_id: actor.id };
  return { at: at.toISOString(), ...who, action, object, address, detail, changes };
}
