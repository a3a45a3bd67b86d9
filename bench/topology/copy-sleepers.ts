import { randomUUID } from 'node:crypto';
import { fingerprint32 } from 'farmhash-modern';
import type { Collection, WithId } from 'mongodb';
import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import { ATTEMPTS_COLLECTION, attemptId, type Attempt } from '../../src/stores/attempt-store';
import { createEventStore, EVENTS_COLLECTION, type StoredEvent } from '../../src/stores/event-store';
import type { Postgresql } from './postgresql';
import type { Topology } from './topology';
import { UNSEALED } from '../../dev/unsealed';

/** Copies that are made with one statement. */
const BATCH = 10_000;

const TEMPORAL = 'temporal';
const VISIBILITY = 'temporal_visibility';

/** What differs between the rows of one execution and those of another. */
interface Identity {
  readonly eventId: number;
  readonly runId: string;
  readonly shard: number;
}

/**
 * Copies one sleeping delivery: its event and attempts in MongoDB, and its execution in Temporal's databases. To make
 * a million of them by real calls takes half a day here. All ids have a fixed length, so the rows stay valid when
 * other ids replace them.
 *
 * @returns the events of the copies
 */
export async function copySleeper(
  { mongo, postgresql, config }: Topology,
  count: number,
  say: (line: string) => void,
): Promise<number[]> {
  const events: Collection<StoredEvent> = mongo.db.collection(EVENTS_COLLECTION);
  const event = (await events.findOne({ 'destinations.state': 'retrying' }))!;
  const { namespace } = config.temporal;
  const namespaceId = toUuid(
    await postgresql.psql(TEMPORAL, `SELECT encode(id, 'hex') FROM namespaces WHERE name = '${namespace}'`),
  );
  const shards = Number(await postgresql.psql(TEMPORAL, 'SELECT count(*) FROM shards'));
  const shardOf = (eventId: number): number =>
    (fingerprint32(`${namespaceId}_${deliveryWorkflowId({ ...refOf(event), eventId })}`) % shards) + 1;
  const workflowId = deliveryWorkflowId(refOf(event));
  const model = await executionOf(postgresql, workflowId);
  if (shardOf(event._id) !== model.shard) throw new Error('Temporal places executions by another rule');
  const statements = new Map<string, string>();
  for (const [database, tables] of Object.entries(rowsOf(model, workflowId, namespaceId)))
    statements.set(database, await copiesInto(postgresql, database, tables, { eventId: event._id, ...model }));
  const first = await createEventStore(mongo.db, UNSEALED).reserveIds(count);
  const attempts: Collection<Attempt> = mongo.db.collection(ATTEMPTS_COLLECTION);
  const made = await attempts.find({ event_id: event._id }).toArray();
  for (let from = 0; from < count; from += BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, count - from) }, (_, index): Identity => {
      const eventId = first + from + index;
      return { eventId, runId: randomUUID(), shard: shardOf(eventId) };
    });
    await storeEvents({ events, attempts }, event, made, copies);
    for (const [database, statement] of statements)
      await postgresql.psql(database, copyScript(copies, from, statement));
    if ((from / BATCH) % 10 === 0) say(`${from + copies.length} of ${count} copies`);
  }
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Of the event's only destination. */
function refOf({ _id: eventId, destinations }: StoredEvent) {
  const { endpoint_id: endpointId, run } = destinations[0]!;
  return { eventId, endpointId, run };
}

async function executionOf(postgresql: Postgresql, workflowId: string) {
  const row = await postgresql.psql(
    TEMPORAL,
    `SELECT encode(run_id, 'hex'), shard_id FROM current_executions WHERE workflow_id = '${workflowId}'`,
  );
  const [runId, shard] = row.split('|');
  return { runId: toUuid(runId!), shard: Number(shard) };
}

function toUuid(hex: string): string {
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

async function storeEvents(
  to: { readonly events: Collection<StoredEvent>; readonly attempts: Collection<Attempt> },
  event: WithId<StoredEvent>,
  made: readonly Attempt[],
  copies: readonly Identity[],
): Promise<void> {
  const attempts = copies.flatMap(({ eventId }) =>
    made.map((attempt) => ({
      ...attempt,
      _id: attemptId({ eventId, endpointId: attempt.endpoint_id, run: attempt.run, number: attempt.number }),
      event_id: eventId,
    })),
  );
  await to.events.insertMany(
    // Sealed data can only be opened in its own event, so a copy can't be sent: it sleeps as long as the benchmark runs.
    copies.map(({ eventId }) => ({ ...event, _id: eventId })),
    { ordered: false },
  );
  await to.attempts.insertMany(attempts, { ordered: false });
}

/** Conditions on the rows of an execution that waits for a timer, by database and table. */
function rowsOf({ runId, shard }: Omit<Identity, 'eventId'>, workflowId: string, namespaceId: string) {
  const inShard = `shard_id = ${shard}`;
  const byWorkflow = `${inShard} AND workflow_id = '${workflowId}'`;
  const byTree = `${inShard} AND tree_id = '\\x${runId.replaceAll('-', '')}'`;
  return {
    [TEMPORAL]: {
      executions: byWorkflow,
      current_executions: byWorkflow,
      timer_info_maps: byWorkflow,
      history_node: byTree,
      history_tree: byTree,
      // A timer of a moment ago is over.
      timer_tasks:
        `${inShard} AND position('\\x${hexOf(runId)}'::bytea IN data) > 0 ` +
        "AND visibility_timestamp > now() AT TIME ZONE 'UTC' + interval '1 hour'",
    },
    [VISIBILITY]: { executions_visibility: `namespace_id = '${namespaceId}' AND run_id = '${runId}'` },
  };
}

/**
 * SQL that makes the rows of each copy from those of the model, for the copies in a table `copies`.
 *
 * @param tables a condition on the model's rows of each
 */
async function copiesInto(
  postgresql: Postgresql,
  database: string,
  tables: Readonly<Record<string, string>>,
  model: Identity,
): Promise<string> {
  const statements: string[] = [];
  for (const [table, isOfModel] of Object.entries(tables)) {
    const listed = await postgresql.psql(
      database,
      `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '${table}' AND is_generated = 'NEVER'`,
    );
    const columns = listed.split('\n').map((line) => line.split('|') as [string, string]);
    const values = columns.map(([name, type]) => valueOf(name, type, model));
    statements.push(
      `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')}) ` +
        `SELECT ${values.join(', ')} FROM (SELECT * FROM ${table} WHERE ${isOfModel}) row, copies;`,
    );
  }
  return statements.join('\n');
}

/** The column's value of a copy. */
function valueOf(name: string, type: string, { eventId, runId }: Identity): string {
  if (name === 'shard_id') return 'copies.shard';
  // With the copies' own times, a shard's timers have different keys.
  if (name === 'visibility_timestamp') return `row.${name} + copies.number * interval '1 microsecond'`;
  const asText = (value: string): string =>
    `replace(replace(${value}, '${eventId}', copies.event_id), '${runId}', copies.run_id)`;
  if (type === 'jsonb') return `${asText(`row.${name}::text`)}::jsonb`;
  if (type.startsWith('character')) return asText(`row.${name}`);
  if (type !== 'bytea') return `row.${name}`;
  const pairs: [string, string][] = [
    [hexOf(String(eventId)), hexInSql('copies.event_id')],
    [hexOf(runId), hexInSql('copies.run_id')],
    [runId.replaceAll('-', ''), "replace(copies.run_id, '-', '')"],
  ];
  const hex = pairs.reduce((value, [from, to]) => `replace(${value}, '${from}', ${to})`, `encode(row.${name}, 'hex')`);
  return `decode(${hex}, 'hex')`;
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

function hexInSql(text: string): string {
  return `encode(convert_to(${text}, 'UTF8'), 'hex')`;
}

/** A script for psql: makes the table of the copies, and runs the statements. */
function copyScript(copies: readonly Identity[], firstNumber: number, statements: string): string {
  const rows = copies.map(({ eventId, runId, shard }, index) =>
    [firstNumber + index + 1, eventId, runId, shard].join('\t'),
  );
  return [
    'CREATE TEMPORARY TABLE copies (number bigint, event_id text, run_id text, shard integer);',
    'COPY copies FROM STDIN;',
    ...rows,
    '\\.',
    statements,
    '',
  ].join('\n');
}
