import { arrivalsOf, lagsOf } from './arrivals';
import { startLoad, type Load } from './load';
import { meterCpu, percentile, rounded } from './statistics';
import { register, startSystem, type System } from './system';

/** What differs between the accounts: the options of their only endpoint. */
const SHAPES: Readonly<Record<string, object>> = {
  envelope: {},
  data: { body: 'data' },
  standard: { body: 'standard' },
  cloudevents: { body: 'cloudevents' },
  'data, one field cut': { body: 'data', exclude: ['customer.email'] },
};
const ROUNDS = 9;
const EVENTS_A_ROUND = 800;
const CONCURRENCY = 16;
const DATA_BYTES = 1_024;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** One round of one shape. */
interface Round {
  /** Of the process of Everpost, for 1,000 deliveries. */
  readonly cpuS: number;
  readonly lagMs: number;
}

/**
 * Measures what a shape of bodies costs for each delivery, against the envelope: the shapes in turn, several times, in
 * one process of Everpost.
 */
async function main(): Promise<void> {
  const system = await startSystem({ say });
  const loads: Load[] = [];
  try {
    const lanes: { shape: string; load: Load; rounds: Round[] }[] = [];
    for (const [index, [shape, options]] of Object.entries(SHAPES).entries()) {
      const { key } = await register(system.config, system.mongo, system.url, { name: `shape-${index}`, options }, [
        `https://127.0.0.1:${portOf(system)}/${index}`,
      ]);
      const load = startLoad({ url: system.url, key, dataBytes: DATA_BYTES });
      loads.push(load);
      lanes.push({ shape, load, rounds: [] });
    }
    let delivered = 0;
    const measure = async (load: Load): Promise<Round> => {
      const cpuPer1000 = meterCpu({ everpost: system.everpost.pid! });
      const ingested = await load.burst(EVENTS_A_ROUND, CONCURRENCY);
      delivered += EVENTS_A_ROUND;
      const arrivals = await arrivalsOf(system.receiver, delivered);
      const { everpost: cpuS } = cpuPer1000(EVENTS_A_ROUND) as { everpost: number };
      return { cpuS, lagMs: percentile(lagsOf(ingested, arrivals), 0.5) };
    };
    say('warming up');
    for (const { load } of lanes) await measure(load);
    for (let round = 0; round < ROUNDS; round += 1) {
      say(`round ${round + 1} of ${ROUNDS}`);
      // Each shape begins some rounds.
      for (const index of lanes.keys()) {
        const lane = lanes[(index + round) % lanes.length]!;
        lane.rounds.push(await measure(lane.load));
      }
    }
    process.stdout.write(`${tableOf(lanes)}\n`);
  } finally {
    for (const load of loads) load.close();
    await system.close();
  }
}

/** The port of the receiver, which the system allows. */
function portOf({ config }: System): number {
  return config.delivery.policy.allowPorts[0]!.from;
}

function tableOf(lanes: readonly { readonly shape: string; readonly rounds: readonly Round[] }[]): string {
  const envelope = lanes[0]!.rounds;
  const ratio = (rounds: readonly Round[], of: (round: Round) => number): number =>
    rounded(
      percentile(
        rounds.map((round, index) => of(round) / of(envelope[index]!)),
        0.5,
      ),
      2,
    );
  return [
    '| Body | CPU of Everpost, s for 1,000 | Against the envelope | Arrival p50 against the envelope |',
    '| --- | --- | --- | --- |',
    ...lanes.map(({ shape, rounds }) => {
      const cpu = rounded(
        percentile(
          rounds.map(({ cpuS }) => cpuS),
          0.5,
        ),
        2,
      );
      return `| ${shape} | ${cpu} | ${ratio(rounds, ({ cpuS }) => cpuS)} × | ${ratio(rounds, ({ lagMs }) => lagMs)} × |`;
    }),
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
