import { lagsOf, arrivalsOf } from './arrivals';
import { pause } from './child';
import { quantiles, rounded } from './statistics';
import { startSystem, type System } from './system';

/** How many deliveries the noisy neighbour has, and how long the other tenant is measured. */
const PROFILES = {
  // Long enough to see timeouts, which take 30 s.
  standard: { receivers: 10, events: 1_000, concurrency: 16, perSecond: 10, seconds: 40 },
  million: { receivers: 10, events: 100_000, concurrency: 16, perSecond: 10, seconds: 40 },
  quick: { receivers: 6, events: 200, concurrency: 8, perSecond: 10, seconds: 8 },
} as const;

const WARM_UP = 50;
const SETTLE_MS = 1_000;

/**
 * Measures what a tenant with thousands of deliveries to hanging receivers costs another tenant: the time from ingest
 * to arrival of a steady trickle of events, alone, while the neighbour's events arrive, and while they are pending.
 */
async function main(): Promise<void> {
  const asJson = process.argv.includes('--json');
  const { million, quick, standard } = PROFILES;
  const profile = process.argv.includes('million') ? million : process.argv.includes('quick') ? quick : standard;
  const { receivers, events, concurrency } = profile;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const system = await startSystem({ say, hanging: receivers });
  try {
    await system.load.burst(WARM_UP, 8);
    await pause(SETTLE_MS);
    const trickle = `${profile.perSecond} events/s for ${profile.seconds} s`;
    say(`alone: ${trickle}`);
    const count = profile.perSecond * profile.seconds;
    const alone = await measure(system, profile, WARM_UP);

    const noisy = await system.addNoisyTenant();
    say(`the neighbour sends ${events} events to ${receivers} receivers that hang; meanwhile ${trickle}`);
    const noise = noisy.burst(events, concurrency);
    const during = await measure(system, profile, WARM_UP + count);
    const sent = await noise;
    say(`${events * receivers} deliveries of the neighbour are pending; ${trickle}`);
    const beside = await measure(system, profile, WARM_UP + 2 * count);

    const noiseSeconds =
      (Math.max(...sent.map(({ sentAtMs, latencyMs }) => sentAtMs + latencyMs)) -
        Math.min(...sent.map(({ sentAtMs }) => sentAtMs))) /
      1_000;
    const result = {
      noisy_deliveries: events * receivers,
      noisy_ingest_s: rounded(noiseSeconds),
      alone_ms: alone,
      while_noise_comes_in_ms: during,
      while_noise_is_pending_ms: beside,
    };
    process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : report(result));
  } finally {
    await system.close();
  }
}

/** Sends a trickle of the healthy tenant's events, after `before` others. @returns milliseconds from ingest to arrival */
async function measure(system: System, profile: { perSecond: number; seconds: number }, before: number) {
  const ingested = await system.load.openLoop(profile.perSecond, profile.seconds);
  const lags = lagsOf(ingested, await arrivalsOf(system.receiver, before + ingested.length));
  return { ...quantiles(lags), max: rounded(Math.max(...lags)) };
}

interface Lags {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

function report(result: {
  noisy_deliveries: number;
  noisy_ingest_s: number;
  alone_ms: Lags;
  while_noise_comes_in_ms: Lags;
  while_noise_is_pending_ms: Lags;
}): string {
  const line = (name: string, { p50, p99, max }: Lags): string =>
    `${name.padEnd(42)} p50 ${p50} ms · p99 ${p99} ms · max ${max} ms\n`;
  const noise = `${result.noisy_deliveries} hanging deliveries of a neighbour`;
  return (
    `A healthy tenant, from ingest to arrival (the neighbour's ingest took ${result.noisy_ingest_s} s)\n` +
    line('alone', result.alone_ms) +
    line(`while ${noise} come in`, result.while_noise_comes_in_ms) +
    line(`while they are pending`, result.while_noise_is_pending_ms)
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
