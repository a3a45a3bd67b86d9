import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { Database } from 'node-sqlite3-wasm';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { startTemporalServer, type RunningTemporal, type StartTemporalOptions } from '../../dev/temporal-server';
import { createLogger } from '../../src/platform/logger';
import { createTemporalLink } from '../../src/platform/temporal';
import { eventually } from '../support/eventually';
import { quietTemporal } from '../support/quiet-temporal';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const onProgress = (): void => undefined;
let binary: string;

beforeAll(async () => {
  binary = await serverBinary('temporal');
});

const DAY_MS = 86_400_000;

const start = (options: Partial<StartTemporalOptions> = {}): Promise<RunningTemporal> =>
  startTemporalServer({ binary, dataDir: folder(), port: 0, namespace: 'everpost-test', onProgress, ...options });

async function describeNamespace({ address }: RunningTemporal) {
  const connection = await Connection.connect({ address });
  try {
    const namespace = 'everpost-test';
    const { namespaceInfo, config } = await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const retention = Number(config?.workflowExecutionRetentionTtl?.seconds);
    return { id: namespaceInfo?.id, attributes: Object.keys(customAttributes ?? {}), retention };
  } finally {
    await connection.close();
  }
}

async function startWithAttributes(client: Client, names: readonly string[]): Promise<void> {
  const attributes = names.map((name) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value: 'x' }));
  await client.workflow.start('none', {
    taskQueue: 'none',
    workflowId: 'one',
    typedSearchAttributes: new TypedSearchAttributes(attributes),
  });
}

/** The indexes of the list of executions that have an entry. */
function filledIndexes(file: string): string[] {
  const database = new Database(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    const query =
      "SELECT name FROM sqlite_schema WHERE tbl_name = 'executions_visibility' AND sql LIKE 'CREATE INDEX%'";
    const names = database.all(query).map(({ name }) => name as string);
    return names.filter((name) => isFilled(database, name)).toSorted();
  } finally {
    database.close();
  }
}

/** SQLite reads a partial index only for rows that it contains. */
function isFilled(database: Database, index: string): boolean {
  const { sql } = database.get('SELECT sql FROM sqlite_schema WHERE name = ?', index) as { sql: string };
  const [, condition = 'TRUE'] = sql.split(' WHERE ');
  return database.get(`SELECT 1 FROM executions_visibility INDEXED BY ${index} WHERE ${condition}`) !== null;
}

/** Starts an execution that has the attribute. Temporal refuses it while it knows none of that name. */
async function startWithAttribute({ address }: RunningTemporal, name: string): Promise<boolean> {
  const connection = await Connection.connect({ address });
  try {
    await startWithAttributes(new Client({ connection, namespace: 'everpost-test' }), [name]);
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

describe('the embedded Temporal server', () => {
  it('has a Web UI, and reopens its file after a kill with new settings and missing search attributes added', async () => {
    const [name] = SEARCH_ATTRIBUTES;
    const first = await start({ uiPort: 0, retentionMs: 30 * DAY_MS });
    const before = await describeNamespace(first);
    expect(before.attributes).toEqual(expect.arrayContaining([...SEARCH_ATTRIBUTES]));
    expect(before.retention).toBe(30 * 86_400);
    const page = await fetch(first.uiUrl!);
    expect(page.ok).toBe(true);
    await page.body?.cancel();
    // As the data folder of an earlier version.
    const connection = await Connection.connect({ address: first.address });
    await connection.operatorService.removeSearchAttributes({ namespace: 'everpost-test', searchAttributes: [name] });
    expect((await describeNamespace(first)).attributes).not.toContain(name);
    await connection.close();
    await first.kill();

    const again = await start({ retentionMs: 3 * DAY_MS });
    expect(again.uiUrl).toBeUndefined();
    expect(await describeNamespace(again)).toMatchObject({ id: before.id, retention: 3 * 86_400 });
    // Its cache is some seconds behind.
    await eventually(
      () => startWithAttribute(again, name),
      (isStarted) => isStarted,
    );
    await again.stop();
    expect(again.ended()).toBeDefined();
  });

  it('lists executions by every attribute, and has entries for those that deliveries are found by only', async () => {
    const server = await start();
    const connection = await Connection.connect({ address: server.address });
    const client = new Client({ connection, namespace: 'everpost-test' });
    await startWithAttributes(client, SEARCH_ATTRIBUTES);
    const byOurs = SEARCH_ATTRIBUTES.map((name) => `${name} = 'x'`);
    const queries = ['', "WorkflowType = 'none'", "WorkflowId = 'one'", "ExecutionStatus = 'Running'", ...byOurs];
    for (const query of [...queries, "TaskQueue = 'none'", "RootWorkflowId = 'one'"]) {
      // Temporal's lists are a moment behind.
      const { count } = await eventually(
        () => client.workflow.count(query),
        (counted) => counted.count > 0,
      );
      expect({ query, count }).toEqual({ query, count: 1 });
    }
    await connection.close();
    await server.stop();

    const filled = filledIndexes(join(folder(), 'temporal.sqlite'));
    // Temporal chooses the column of each attribute.
    const ours = SEARCH_ATTRIBUTES.map(() => expect.stringMatching(/^by_keyword_\d+$/));
    expect(filled).toEqual([...ours, 'by_status', 'by_workflow_id', 'by_workflow_type', 'default_idx']);
  });

  it('picks other ports when its choice is taken meanwhile, and names the setting when a configured port is taken', async () => {
    const late = join(folder(), 'late-server');
    const lines = [
      '#!/bin/sh',
      `[ -e ${late}.tried ] && exec ${binary} "$@"`,
      `touch ${late}.tried`,
      `echo "Error: can't set frontend port 1: listen tcp 127.0.0.1:1: bind: address already in use"`,
      'exit 1',
    ];
    writeFileSync(late, lines.join('\n'), { mode: 0o755 });

    const first = await start({ binary: late, uiPort: 0 });
    try {
      expect((await describeNamespace(first)).id).toBeDefined();
      await expect(start({ port: first.port })).rejects.toThrow(
        `Port ${first.port}, meant for Temporal, is taken. Set TEMPORAL_PORT to a free one.`,
      );
      await expect(start({ uiPort: first.uiPort! })).rejects.toThrow(
        `Port ${first.uiPort}, meant for Temporal's Web UI, is taken. Set TEMPORAL_UI_PORT to a free one.`,
      );
    } finally {
      await first.kill();
    }
  });
});

it('a process that stops does not wait for a server that accepts its connection and never answers', async () => {
  quietTemporal();
  const silent = createServer().listen(0, '127.0.0.1');
  const connected = once(silent, 'connection');
  await once(silent, 'listening');
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const link = createTemporalLink({ address, namespace: 'default', connection: {} }, createLogger('silent'));
  const [socket] = (await connected) as [Socket];

  // Temporal's SDK gives up after half a minute.
  const givesUp = link.connected().then(undefined, () => 'the SDK gave up');
  const first = await Promise.race([givesUp, link.close().then(() => 'closed')]);

  expect(first).toBe('closed');
  socket.destroy();
  silent.close();
});
