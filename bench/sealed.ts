import { arrivalsOf } from './arrivals';
import { publish } from './page';
import { meterCpu, percentile, rounded } from './statistics';
import { startSystem, type System } from './system';

// `npm run bench:sealed [-- --page docs/performance.md]`

/** `SEAL_PAYLOADS` of each system. */
const SETTINGS = ['off', 'on'] as const;
const DATA_BYTES = 1_024;
const ROUNDS = 15;
/** Events of a round, by how many are under way at a time. */
const EVENTS = { one: 150, sixteen: 1_000 };
/** Sealed against not sealed, at most. */
const AIM = { ingest: 1.05, cpu: 1.1 };

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What a round took: medians of the ingest in ms, and the CPU of Everpost in s for 1,000 deliveries. */
interface Round {
  readonly one: number;
  readonly sixteen: number;
  readonly cpu: number;
}

/** One system, and what it took so far. */
interface Lane {
  readonly system: System;
  readonly rounds: Round[];
  delivered: number;
}

/**
 * Measures what sealing payloads costs an ingest and a delivery: two systems, with `SEAL_PAYLOADS=on` and `off`, work in
 * turn.
 */
async function main(): Promise<void> {
  const lanes: Lane[] = [];
  try {
    for (const setting of SETTINGS) {
      const env = { SEAL_PAYLOADS: setting };
      const system = await startSystem({ say, mode: 'express', dataBytes: DATA_BYTES, env });
      lanes.push({ system, rounds: [], delivered: 0 });
    }
    say('warming up');
    for (const lane of lanes) for (let round = 0; round < 3; round += 1) await measure(lane);
    for (let round = 0; round < ROUNDS; round += 1) {
      say(`round ${round + 1} of ${ROUNDS}`);
      // Each begins half of the rounds.
      for (const index of lanes.keys()) {
        const lane = lanes[(index + round) % lanes.length]!;
        lane.rounds.push(await measure(lane));
      }
    }
    for (const lane of lanes) await holdSetting(lane);
    report(lanes);
  } finally {
    await Promise.all(lanes.map(({ system }) => system.close()));
  }
}

async function measure(lane: Lane): Promise<Round> {
  const { system } = lane;
  const cpuPer1000 = meterCpu({ everpost: system.everpost.pid! });
  const p50 = async (events: number, atATime: number): Promise<number> => {
    const ingested = await system.load.burst(events, atATime);
    lane.delivered += events;
    return percentile(
      ingested.map(({ latencyMs }) => latencyMs),
      0.5,
    );
  };
  const one = await p50(EVENTS.one, 1);
  const sixteen = await p50(EVENTS.sixteen, 16);
  await arrivalsOf(system.receiver, lane.delivered);
  return { one, sixteen, cpu: cpuPer1000(EVENTS.one + EVENTS.sixteen)['everpost']! };
}

/** @throws Error if the events are not stored as the setting says: then nothing was compared */
async function holdSetting({ system: { mongo, config } }: Lane): Promise<void> {
  const events = mongo.db.collection('events');
  const wrong = await events.countDocuments({ sealed_data: { $exists: !config.sealPayloads } });
  if (wrong > 0) throw new Error(`${wrong} events are not stored as SEAL_PAYLOADS says`);
}

function report([off, on]: readonly Lane[]): void {
  const row = (name: string, aim: number, of: (round: Round) => number): string => {
    const [plain, sealed] = [off!.rounds.map(of), on!.rounds.map(of)];
    const ratio = percentile(
      sealed.map((value, round) => value / plain[round]!),
      0.5,
    );
    const holds = rounded(ratio, 2) <= aim;
    if (!holds) process.exitCode = 1;
    const cells = [percentile(plain, 0.5), percentile(sealed, 0.5), ratio].map((value) => rounded(value, 2));
    return `| ${name} | ${cells.join(' | ')} × | ≤ ${aim}: ${holds ? 'holds' : 'does not hold'} |`;
  };
  const table = [
    '| | `off` | `on` | `on` against `off` | Aim |',
    '| --- | --- | --- | --- | --- |',
    row('Ingest p50, one at a time, ms', AIM.ingest, ({ one }) => one),
    row('Ingest p50, 16 at a time, ms', AIM.ingest, ({ sixteen }) => sixteen),
    row('CPU of Everpost, s for 1,000 deliveries', AIM.cpu, ({ cpu }) => cpu),
  ].join('\n');
  publish('sealed', table);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
