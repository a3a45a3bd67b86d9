import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { ChainEnd } from '../accounts/audit-chain';
import { accountOfLog, describeChanges, exportAudit, exportAuditLines, noteRead } from '../accounts/read-audit';
import { verifyAudit, type VerifiedLog } from '../accounts/verify-audit';
import type { AuditEntry, AuditFilter } from '../accounts/audit-store';
import { AUDIT_ACTIONS, type AuditAction } from '../domain/audit-actions';
import { InvalidRequestError, UnprocessableError } from '../domain/errors';
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
  add(audit, 'verify', 'check that no entry was changed, removed or added')
    .option('--account <account>', 'account id or external id, or `none`: only this log')
    .option('--kept <file>', 'what `audit verify --json` printed before, and was kept elsewhere')
    .action(run((deps, options) => Promise.resolve(verifiedLogs(deps, options))));
}

/** How long an entry may wait to be chained before it is told. */
const CHAINED_WITHIN_MS = 60_000;

/** @throws UnprocessableError at the end if a log was changed */
async function* verifiedLogs(deps: CliDeps, { account, kept }: Options): Pages {
  const isAccount = account !== undefined && accountOfLog(account) !== null;
  const only = isAccount ? await accountIdOf(deps, account) : account;
  const now = new Date(deps.clock());
  const options = {
    retentionMs: deps.config.auditRetentionMs,
    now,
    ...(kept !== undefined && { kept: readKept(kept) }),
  };
  const problems: string[] = [];
  for await (const log of verifyAudit(deps, options, only)) {
    if (log.problem !== null) problems.push(`${log.log}: ${log.problem}`);
    yield [presentLog(log, now)];
  }
  if (problems.length === 0) return;
  const what = `The audit log is not as it was written:\n${problems.join('\n')}`;
  throw new UnprocessableError(what, 'audit_log_changed');
}

function presentLog({ unchainedSince: since, unchained, problem, ...log }: VerifiedLog, now: Date) {
  const isLate = since !== null && now.getTime() - since.getTime() > CHAINED_WITHIN_MS;
  const warning = isLate ? 'entries wait for more than a minute to be chained: is a worker running?' : null;
  return { ...log, not_chained: unchained, not_chained_since: since?.toISOString() ?? null, problem, warning };
}

/** The ends of logs in a file. @throws InvalidRequestError */
function readKept(file: string): Map<string, ChainEnd> {
  const wrong = (why: string) => new InvalidRequestError(`--kept ${file}: ${why}`);
  let rows: unknown;
  try {
    rows = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (!Array.isArray(rows)) throw wrong('this is not what `audit verify --json` prints.');
  return new Map(
    (rows as Partial<Record<'log' | 'last' | 'digest', unknown>>[]).flatMap(({ log, last, digest }) => {
      if (last === null) return [];
      if (typeof log !== 'string' || typeof last !== 'number' || typeof digest !== 'string')
        throw wrong('each log needs `log`, `last` and `digest`.');
      return [[log, { seq: last, digest }] as const];
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
