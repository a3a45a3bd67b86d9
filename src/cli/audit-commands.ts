import type { Command } from 'commander';
import { accountOfLog, describeChanges, exportAudit, noteRead } from '../accounts/read-audit';
import type { AuditEntry, AuditFilter } from '../accounts/audit-store';
import { AUDIT_ACTIONS, type AuditAction } from '../domain/audit-actions';
import { InvalidRequestError } from '../domain/errors';
import { accountIdOf } from './account-id';
import { readTime, type CliDeps, type CommandLine, type Options } from './command-line';

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
  filtered(audit.command('export').description('print the log as CSV, the newest entry first')).action(
    run(async (deps, options) => {
      const filter = await filterOf(deps, options);
      await noteRead(deps, filter.accountId, deps.by);
      for await (const lines of exportAudit(deps, filter)) print(lines.replace(/\r\n$/, ''));
      return undefined;
    }),
  );
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
