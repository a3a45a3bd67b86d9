import { createEventTypeStore } from '../src/event-types/event-type-store';
import type { EventTypeMode } from '../src/domain/event-type-modes';
import type { Account } from '../src/accounts/account-store';
import { BY_COMMAND_LINE } from '../src/domain/audit-actions';
import { startLoad, type Load } from './load';
import { percentile, rounded } from './statistics';
import { register, startSystem, type System } from './system';

const MODES: readonly EventTypeMode[] = ['open', 'warn', 'strict'];
const CONCURRENCIES = [1, 16];
const ROUNDS = 9;
const EVENTS_A_ROUND = 200;

const FIELDS = 20;
/** Half of them texts with a pattern, as many numbers with bounds. */
const SCHEMA = {
  type: 'object',
  required: Array.from({ length: FIELDS }, (_, index) => `field_${index}`),
  properties: Object.fromEntries(
    Array.from({ length: FIELDS }, (_, index) => [
      `field_${index}`,
      index % 2 === 0
        ? { type: 'string', pattern: '^[a-z_0-9]{1,64}$' }
        : { type: 'number', minimum: 0, maximum: 1_000 },
    ]),
  ),
  additionalProperties: false,
};
const DATA = Object.fromEntries(
  Array.from({ length: FIELDS }, (_, index) => [
    `field_${index}`,
    index % 2 === 0 ? `value_${index}`.repeat(5) : index,
  ]),
);

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The account of one mode. */
interface Lane {
  readonly mode: EventTypeMode;
  readonly load: Load;
  /** The median latency of each round in ms, by the concurrency. */
  readonly p50s: Map<number, number[]>;
}

/**
 * Measures what the check of an event against a schema of 20 fields costs, against an account that checks nothing: the
 * modes in turn, many times, in one process of Everpost. Nothing is delivered.
 */
async function main(): Promise<void> {
  const system = await startSystem({ say });
  const lanes: Lane[] = [];
  try {
    await describeType(system);
    for (const mode of MODES) lanes.push({ mode, load: await startLoadOf(system, mode), p50s: new Map() });
    say('warming up');
    for (const { load } of lanes) await load.burst(EVENTS_A_ROUND * 3, Math.max(...CONCURRENCIES));
    for (let round = 0; round < ROUNDS; round += 1) {
      say(`round ${round + 1} of ${ROUNDS}`);
      for (const concurrency of CONCURRENCIES) {
        // Each mode begins some rounds.
        for (const index of lanes.keys()) await measure(lanes[(index + round) % lanes.length]!, concurrency);
      }
    }
    process.stdout.write(`${tableOf(lanes)}\n`);
  } finally {
    for (const { load } of lanes) load.close();
    await system.close();
  }
}

async function describeType({ mongo }: System): Promise<void> {
  const schema = JSON.stringify(SCHEMA);
  const after = { _id: 'order.created', schema, deprecated: false, archived: false, version: 1 };
  await createEventTypeStore(mongo.db).write(
    { before: undefined, after, at: new Date(), changes: [] },
    BY_COMMAND_LINE,
  );
}

async function startLoadOf({ config, mongo, url }: System, mode: EventTypeMode): Promise<Load> {
  const { key } = await register(config, mongo, url, { name: `mode-${mode}` }, []);
  await mongo.db
    .collection<Account>('accounts')
    .updateOne({ email: `mode-${mode}@example.com` }, { $set: { event_types: mode } });
  return startLoad({ url, key, dataBytes: 0, data: DATA });
}

async function measure({ load, p50s }: Lane, concurrency: number): Promise<void> {
  const ingested = await load.burst(EVENTS_A_ROUND, concurrency);
  const p50 = percentile(
    ingested.map(({ latencyMs }) => latencyMs),
    0.5,
  );
  p50s.set(concurrency, [...(p50s.get(concurrency) ?? []), p50]);
}

function tableOf(lanes: readonly Lane[]): string {
  const open = lanes[0]!.p50s;
  const rows = CONCURRENCIES.flatMap((concurrency) =>
    lanes.map(({ mode, p50s }) => {
      const own = p50s.get(concurrency)!;
      const ratios = own.map((p50, round) => p50 / open.get(concurrency)![round]!);
      return `| ${mode} | ${concurrency} | ${rounded(percentile(own, 0.5), 2)} | ${rounded(percentile(ratios, 0.5), 2)} × |`;
    }),
  );
  return ['| Mode | At a time | Ingest p50, ms | Against open |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
