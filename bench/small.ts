import { writeFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from '../dev/certificate';
import { runProgram } from '../dev/run-program';
import { makeThrowawayFolder } from '../dev/servers';
import { createMongo } from '../src/platform/mongo';
import { arrivalsOf, lagsOf } from './arrivals';
import { startLoad, type Ingested } from './load';
import { publish } from './page';
import { cpuSeconds, quantiles, residentMb, rounded } from './statistics';
import { register, startReceiver, TIERS } from './system';
import { startSmallProfile, type SmallProfile } from './topology/small-profile';

// `npm run bench:small -- [--seconds 600] [--per-s 50] [--failing 0.02] [--page docs/small.md]`: the three processes of
// the small profile, as the units of deploy/small start them, on one core together. Load and receiver have the others.

/** What issue 59 asks for. */
const AIM = { memoryMb: 1_024, p99Ms: 100 };
const WARM_UP_S = 10;
const LOOK_EVERY_MS = 1_000;
const NAMES = ['everpost', 'mongodb', 'temporal'] as const;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '600' },
      'per-s': { type: 'string', default: '50' },
      failing: { type: 'string', default: '0.02' },
      page: { type: 'string' },
    },
  });
  const [seconds, perSecond, failing] = [values.seconds, values['per-s'], values.failing].map(Number) as [
    number,
    number,
    number,
  ];
  const pin = await pinning();
  const folder = await makeThrowawayFolder();
  const certificate = await makeCertificate();
  const { receiver, ports } = await startReceiver(certificate, { hanging: 0, failing });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, certificate.cert);
  const settings = {
    DELIVERY_CA_FILE: caFile,
    DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_ALLOW_PORTS: ports.join(','),
    EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: '1',
    TIERS,
  };
  say('starting the three processes of the small profile');
  const profile = await startSmallProfile({ root: resolve('.'), folder, settings, before: pin, say });
  const mongo = createMongo(profile.config.mongodb.uri!);
  try {
    const { key } = await register(profile.config, mongo, profile.url, { name: 'bench' }, [
      `https://127.0.0.1:${ports[0]}/hook`,
    ]);
    const load = startLoad({ url: profile.url, key, dataBytes: 1_024 });
    say(`warming up for ${WARM_UP_S} s`);
    const warmUp = await load.openLoop(perSecond, WARM_UP_S);
    say(`${perSecond} events/s for ${seconds} s`);
    const meter = meterProcesses(profile);
    const ingested = await load.openLoop(perSecond, seconds);
    const arrivals = await arrivalsOf(receiver, warmUp.length + ingested.length);
    const used = meter.stop(seconds);
    load.close();
    const table = tableOf({ perSecond, seconds, failing, isPinned: pin.length > 0 }, ingested, {
      ...used,
      lags: lagsOf(ingested, arrivals),
    });
    publish('small', table);
    if (used.peakMb > AIM.memoryMb) process.exitCode = 1;
  } finally {
    receiver.kill('SIGKILL');
    await mongo.close();
    await profile.killAll();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Leaves the first core to the profile. @returns what pins a command to it; nothing where that can't be done */
async function pinning(): Promise<string[]> {
  const others = availableParallelism() - 1;
  if (others < 1) return [];
  const args = ['--all-tasks', '--cpu-list', '--pid', `1-${others}`, String(process.pid)];
  const { code } = await runProgram('taskset', args).catch(() => ({ code: 1 }));
  if (code === 0) return ['taskset', '--cpu-list', '0'];
  say('no taskset here: the processes may use every core');
  return [];
}

/** Watches memory and CPU of the three processes. */
function meterProcesses(profile: SmallProfile) {
  const pids = NAMES.map((name) => profile[name].pid());
  const before = pids.map(cpuSeconds);
  const peaks = NAMES.map(() => 0);
  let peakMb = 0;
  const look = (): void => {
    const now = pids.map(residentMb);
    for (const [index, mb] of now.entries()) peaks[index] = Math.max(peaks[index]!, mb);
    peakMb = Math.max(
      peakMb,
      now.reduce((sum, mb) => sum + mb, 0),
    );
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop(seconds: number) {
      clearInterval(timer);
      look();
      const cores = pids.map((pid, index) => (cpuSeconds(pid) - before[index]!) / seconds);
      return { cores, peaks, peakMb };
    },
  };
}

interface Measured {
  readonly cores: readonly number[];
  readonly peaks: readonly number[];
  /** Of all three at one moment. */
  readonly peakMb: number;
  readonly lags: readonly number[];
}

function tableOf(
  run: { perSecond: number; seconds: number; failing: number; isPinned: boolean },
  ingested: readonly Ingested[],
  { cores, peaks, peakMb, lags }: Measured,
): string {
  const [ingest, arrival] = [quantiles(ingested.map(({ latencyMs }) => latencyMs)), quantiles(lags)];
  const verdict = (value: number, aim: number): string => (value <= aim ? 'holds' : 'does not hold');
  return [
    `${run.perSecond} events/s for ${run.seconds} s, 1 KB each, to one endpoint; ${rounded(run.failing * 100)} % of the first attempts ` +
      `fail. ${run.isPinned ? 'All three processes share one core.' : 'The processes may use every core.'}`,
    '',
    '| | Memory at its peak, MB | Cores |',
    '| --- | --- | --- |',
    ...NAMES.map((name, index) => `| ${name} | ${Math.round(peaks[index]!)} | ${rounded(cores[index]!, 2)} |`),
    `| all | ${Math.round(peakMb)} | ${rounded(
      cores.reduce((sum, each) => sum + each, 0),
      2,
    )} |`,
    '',
    `| | p50, ms | p99, ms | ≤ ${AIM.p99Ms} ms |`,
    '| --- | --- | --- | --- |',
    `| from the call to its answer | ${ingest.p50} | ${ingest.p99} | ${verdict(ingest.p99, AIM.p99Ms)} |`,
    `| from the call to the first request at the receiver | ${arrival.p50} | ${arrival.p99} | ${verdict(arrival.p99, AIM.p99Ms)} |`,
    '',
    `Events accepted: ${ingested.length}. Delivered: ${lags.length}. Memory ≤ ${AIM.memoryMb} MB: ${verdict(peakMb, AIM.memoryMb)}.`,
  ].join('\n');
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
