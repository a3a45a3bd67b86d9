import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ConfigError } from '../config';
import { InvalidRequestError } from '../domain/errors';
import { SCOPE_NAMES } from '../domain/scopes';
import { createKeyCheck } from '../endpoints/check-keys';
import { createLogger } from '../platform/logger';
import { createSecretBox } from '../platform/secret-box';
import type { Rehearsal } from '../rehearsals/rehearsal-store';
import { rehearse } from '../rehearsals/rehearse';
import { createRehearsalRunner, TIME_LIMIT_MS } from '../rehearsals/run-rehearsals';
import { createRehearsalBody, type CreateRehearsalBody } from '../rehearsals/schema';
import { checkDestinationUrl } from '../sender/destination-url-check';
import { generateSigningSecret } from '../sender/signature';
import { startRehearsalThread } from '../wiring/start-rehearsal-thread';
import { accountIdOf } from './account-id';
import type { CliDeps, CommandLine, Options } from './command-line';
import { keysOfDataDir } from './data-dir';
import type { Output } from './table';

/** `everpost rehearse <file>`: computes in this process, so it works when the API is down. */
export function addRehearseCommand(cli: Command, { add, run }: CommandLine): void {
  add(cli, 'rehearse', 'show what a change would have done to the newest stored events, and change nothing')
    .argument('<file>', 'the change as JSON: {"endpoint": {…}} or {"event_type": {…}}')
    .requiredOption('--account <account>', 'account id, or its external id')
    .option('--after <time>', 'only events accepted at or after this time')
    .option('--before <time>', 'only events accepted before this time')
    .option('--limit <count>', 'the most events that are read, the newest first', '1000')
    .action(
      run(async (deps, options, file) => {
        const body = await readBody(file, options);
        const accountId = await accountIdOf(deps, options['account']!);
        const rehearsal = await rehearseHere(deps, accountId, body);
        return 'json' in options ? answerOf(rehearsal) : rowsOf(rehearsal);
      }),
    );
}

async function readBody(file: string, { after, before, limit }: Options): Promise<CreateRehearsalBody> {
  const change = await readJson(file);
  const { data, error } = createRehearsalBody.safeParse({ change, window: { after, before }, limit: Number(limit) });
  if (data) return data;
  const problems = error.issues.map(({ path, message }) => `"${path.join('.')}" ${message}`);
  throw new InvalidRequestError(`${problems.slice(0, 5).join('; ')}.`);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The file can't be read as JSON: ${(error as Error).message}.`);
  }
}

async function rehearseHere(deps: CliDeps, accountId: string, body: CreateRehearsalBody): Promise<Rehearsal> {
  const { config, accounts, dispatch } = deps;
  const keys = await keysOfDataDir(config.dataDir, config.encryptionKeys);
  if (keys.length === 0) throw new ConfigError('ENCRYPTION_KEY is not set: give it the keys that the processes have.');
  const secretBox = createSecretBox(keys);
  const logger = createLogger(config.logLevel);
  const rehearsalRunner = createRehearsalRunner({ ...deps, startThread: startRehearsalThread, logger });
  const [account, now] = await Promise.all([accounts.find(accountId), dispatch.now()]);
  const parts = {
    ...deps,
    rehearsalRunner,
    secretBox,
    keyCheck: createKeyCheck({ ...deps, secretBox }),
    checkUrl: (url: string) => checkDestinationUrl(url, config.delivery.policy),
    generateSecret: generateSigningSecret,
  };
  const caller = { accountId, scopes: SCOPE_NAMES, defaultBody: account?.defaults?.body, now };
  return rehearse(parts, caller, body, 2 * TIME_LIMIT_MS);
}

/** What the API answers. */
function answerOf({ _id: id, state, result }: Rehearsal): Output {
  return { id, state, result: result ? { ...result } : null };
}

/** What changes, for people: a row for all events and for each type, or for each path that a schema refuses. */
function rowsOf({ result }: Rehearsal): Output {
  if (!result) return [];
  const { events, matches, schema } = result;
  if (matches) {
    const { before, after, types } = matches;
    return [{ type: `all ${events} events`, before, after }, ...types.map((row) => ({ ...row }))];
  }
  const { checked = 0, failed = 0, paths = [] } = schema ?? {};
  return [
    { path: `all ${checked} events`, message: 'refused', count: failed, event_id: null },
    ...paths.map((row) => ({ ...row })),
  ];
}
