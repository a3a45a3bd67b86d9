import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ConfigError } from '../config';
import { importEventTypes } from '../event-types/import-event-types';
import { presentEventType, presentListed } from '../event-types/present';
import { archiveEventType } from '../event-types/put-event-type';
import { getEventType, listEventTypes } from '../event-types/read-event-types';
import { importBody } from '../event-types/schema';
import { InvalidRequestError } from '../domain/errors';
import { createSchemaThread } from '../wiring/schema-thread';
import type { CliDeps, CommandLine } from './command-line';
import type { Output, Pages } from './table';

/** `everpost event-type …` */
export function addEventTypeCommands(cli: Command, { add, run }: CommandLine): void {
  const eventType = cli.command('event-type').description('the catalog of event types');
  add(eventType, 'list', 'list event types by name')
    .option('--group <group>', 'only types of this group')
    .option('--archived', 'the archived ones, in place of those in use')
    .action(
      run((deps, { group, archived }) => Promise.resolve(pagesOf(deps, { group, archived: archived !== undefined }))),
    );
  add(eventType, 'show', 'show an event type with its schema and its example')
    .argument('<name>', 'such as order.created')
    .action(run(async (deps, _options, name) => presentEventType(await getEventType(deps, name))));
  add(eventType, 'import', 'create or change event types from the `webhooks` of an OpenAPI document')
    .argument('<file>', 'an OpenAPI document, 3.1 or 3.2, as JSON')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(run(async (deps, options, file) => importFile(deps, file, 'dryRun' in options)));
  add(eventType, 'archive', 'archive an event type: it is no longer listed')
    .argument('<name>', 'such as order.created')
    .action(
      run((deps, _options, name) =>
        withThread(deps, async (ask) => presentEventType(await archiveEventType({ ...deps, ...ask }, name, deps.by))),
      ),
    );
}

async function importFile(deps: CliDeps, file: string, dryRun: boolean): Promise<Output> {
  const body = importBody.safeParse({ openapi: await readJson(file), dry_run: dryRun });
  if (!body.success) throw new InvalidRequestError(`The file ${file} is no OpenAPI document: it must be an object.`);
  const { openapi } = body.data;
  const { created, changed, unchanged, refused } = await withThread(deps, (ask) =>
    importEventTypes({ ...deps, ...ask }, { openapi, dryRun }, deps.by),
  );
  return [
    ...created.map((name) => ({ name, result: 'created', what: '' })),
    ...changed.map(({ name, fields }) => ({ name, result: 'changed', what: fields.join(', ') })),
    ...unchanged.map((name) => ({ name, result: 'unchanged', what: '' })),
    ...refused.map(({ name, error }) => ({ name, result: 'refused', what: error })),
  ];
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The file can't be read as JSON: ${(error as Error).message}.`);
  }
}

async function withThread<T>(
  deps: CliDeps,
  work: (ask: { readonly askSchemaThread: ReturnType<typeof createSchemaThread>['ask'] }) => Promise<T>,
): Promise<T> {
  const thread = createSchemaThread(deps.config.eventTypes.timeoutMs);
  try {
    return await work({ askSchemaThread: thread.ask });
  } finally {
    await thread.close();
  }
}

const PAGE = 100;

async function* pagesOf(deps: CliDeps, filter: { group: string | undefined; archived: boolean }): Pages {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { page, nextCursor } = await listEventTypes(deps, filter, { limit: PAGE, cursor });
    yield page.map(presentListed);
    cursor = nextCursor;
  }
}
